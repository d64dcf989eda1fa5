package dev.sluice.apiserver.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;

/** Files that only their owner can read, written atomically. */
final class PrivateFiles {
  private PrivateFiles() {}

  static void write(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      makeDirectory(parent);
    }
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (posix) {
      // Created with its mode, not changed to it, so that other users can never open it.
      Files.createFile(
          draft,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(draft);
    }
    try (var channel = Files.newByteChannel(draft, EnumSet.of(StandardOpenOption.WRITE))) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void makeDirectory(Path directory) throws IOException {
    try {
      Files.createDirectories(directory);
    } catch (FileAlreadyExistsException notADirectory) {
      throw new IOException(
          "%s is a file where a directory is needed".formatted(directory), notADirectory);
    }
  }
}
