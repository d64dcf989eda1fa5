package dev.sluice.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What is done with folders as a whole. */
final class Folders {
  private Folders() {}

  /** Removes a folder with all that is in it, but nothing that links in it lead to. */
  static void remove(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot remove " + folder, failed);
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
