package dev.sluice.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done with files and folders into which pods may write. */
final class Folders {
  private static final Logger LOG = LoggerFactory.getLogger(Folders.class);

  private Folders() {}

  /**
   * Removes a folder with all that is in it, but nothing that links in it lead to. What a pod made
   * too deep, or took the rights to, is for the tools of the system; what even they cannot remove
   * stays, and is reported.
   */
  static void remove(Path folder) {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.walkFileTree(folder, new Removal());
    } catch (IOException hard) {
      String byForce = "chmod -R u+rwx -- \"$1\"; rm -rf -- \"$1\"";
      if (!CapabilityProbe.succeeds(List.of("sh", "-c", byForce, "sh", folder.toString()))) {
        LOG.warn("{} cannot be removed, remove it by hand: {}", folder, hard.toString());
      }
    }
  }

  /** Removes what it visits, folders after what is in them. */
  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes about) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
        throws IOException {
      if (failed != null) {
        throw failed;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }

  /**
   * How a file begins. Empty if it is none: a pod may have left a pipe there, or a link to what is
   * nothing that others should see.
   *
   * @param most how many bytes are read
   */
  static String head(Path file, int most) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "";
    }
    try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return new String(content.readNBytes(most), StandardCharsets.UTF_8);
    }
  }

  /** The names of what is in a folder, in order; none if it does not exist. */
  static List<String> names(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot look into " + folder, failed);
    }
  }
}
