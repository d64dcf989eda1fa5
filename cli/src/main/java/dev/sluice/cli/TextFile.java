package dev.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that users write by hand. */
final class TextFile {
  private static final int MOST_BYTES = 4 << 20;

  private TextFile() {}

  /** What is in a file; one that cannot be a configuration is an error of the user. */
  static String read(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw UserError.usage(path + " is too large to be a configuration");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException missing) {
      throw UserError.usage("there is no file " + path);
    } catch (CharacterCodingException binary) {
      throw UserError.usage(path + " is not text in UTF-8");
    } catch (IOException unreadable) {
      throw UserError.usage("%s cannot be read: %s".formatted(path, unreadable.getMessage()));
    }
  }
}
