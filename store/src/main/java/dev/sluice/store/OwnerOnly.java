package dev.sluice.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files and directories that belong to their owner alone, whatever the umask: a store holds
 * Secrets. SQLite gives its log and its shared memory the mode of its file. File systems without
 * modes are left as they are.
 */
final class OwnerOnly {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnly() {}

  /** Makes a directory and those above it that do not exist. */
  static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /** The attributes with which a file is created. */
  static FileAttribute<?>[] ofFile(Path file) {
    return attributes(file, FILE);
  }

  /**
   * Closes a directory and what lies in it. What lies deeper cannot be reached by others then, and
   * keeps its modes: among it are the volumes of pods, whose modes are the pods' own.
   */
  static void close(Path directory) throws IOException {
    if (!hasModes(directory)) {
      return;
    }
    // Of a mounted volume the directory may belong to another user, who can read it anyway.
    if (Files.getOwner(directory).equals(Files.getOwner(directory.resolve(DirectoryLock.FILE)))) {
      Files.setPosixFilePermissions(directory, DIRECTORY);
    }
    try (Stream<Path> found = Files.list(directory)) {
      for (Path path : List.copyOf(found.toList())) {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          closeOwn(path, DIRECTORY);
        } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          closeOwn(path, FILE);
        }
      }
    }
  }

  private static void closeOwn(Path path, Set<PosixFilePermission> mode) throws IOException {
    if (!Files.getPosixFilePermissions(path).equals(mode)
        && Files.getOwner(path).equals(Files.getOwner(path.resolveSibling(DirectoryLock.FILE)))) {
      Files.setPosixFilePermissions(path, mode);
    }
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> mode) {
    return hasModes(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  private static boolean hasModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
