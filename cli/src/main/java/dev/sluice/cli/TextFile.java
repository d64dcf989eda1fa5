package dev.sluice.cli;

import dev.sluice.model.tree.MalformedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/** Files that users write by hand. Anything wrong with one is an error of the user. */
final class TextFile {
  private static final int MAX_CONFIGURATION_BYTES = 4 << 20;
  private static final int MAX_SCENARIO_BYTES = 1 << 30;

  private TextFile() {}

  /**
   * The content of a configuration file.
   *
   * @param reader throws an {@link IllegalArgumentException} that says what is wrong
   */
  static <T> T configuration(Path path, Function<String, T> reader) {
    return understood(path, read(path), reader);
  }

  /**
   * The content of a scenario.
   *
   * @param reader throws a {@link MalformedText} that says what is wrong
   */
  static <T> T scenario(Path path, Function<String, T> reader) {
    return understood(path, read(path, "scenario", MAX_SCENARIO_BYTES), reader);
  }

  /** The text of a trace that a scenario names. */
  static String trace(Path path) {
    return read(path, "trace", MAX_SCENARIO_BYTES);
  }

  private static <T> T understood(Path path, String text, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (MalformedText | IllegalArgumentException wrong) {
      throw UserError.usage(path + ": " + wrong.getMessage());
    }
  }

  /** The text of a configuration file. */
  private static String read(Path path) {
    return read(path, "configuration", MAX_CONFIGURATION_BYTES);
  }

  private static String read(Path path, String what, int most) {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw UserError.usage(
            "%s is too large to be a %s: it may have %d MiB".formatted(path, what, most >> 20));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException missing) {
      throw UserError.usage("there is no file " + path);
    } catch (CharacterCodingException binary) {
      throw UserError.usage(path + " is not text in UTF-8");
    } catch (IOException unreadable) {
      throw UserError.usage("%s cannot be read: %s".formatted(path, why(unreadable)));
    }
  }

  /** Java names only the file in some of its messages, and leaves the reason to the class. */
  static String why(IOException failed) {
    return switch (failed) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException missing -> "there is no " + missing.getFile();
      case FileAlreadyExistsException taken -> taken.getFile() + " is no directory";
      default -> String.valueOf(failed.getMessage());
    };
  }

  /** Warns on standard error of settings of a file that have no effect. */
  static void warn(CommandSpec command, String prefix, List<String> warnings) {
    PrintWriter err = command.commandLine().getErr();
    warnings.forEach(warning -> err.println(prefix + warning));
    err.flush();
  }
}
