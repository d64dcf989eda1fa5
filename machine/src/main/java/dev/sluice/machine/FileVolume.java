package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch.FileContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A volume of files that come from API objects. All of them change at once, as on every node: the
 * files are in a folder of their version, the link {@code ..data} leads to it, and each name leads
 * through that link. Threads: one writes; processes read at any time.
 */
record FileVolume(Path path) {
  private static final String CURRENT = "..data";

  /** Whether it shows something already. */
  boolean isThere() {
    return Files.exists(path.resolve(CURRENT));
  }

  /** Shows these files from now on, and nothing else. */
  void show(SortedMap<String, FileContent> files) throws IOException, CannotStartException {
    Optional<Path> before = isThere() ? Optional.of(current()) : Optional.empty();
    if (before.isPresent() && shows(before.get(), files)) {
      return;
    }
    Files.createDirectories(path);
    Path version =
        Files.createTempDirectory(
            path,
            "..",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    for (var file : files.entrySet()) {
      Path target = inside(version, file.getKey());
      Files.createDirectories(version.resolve(target).getParent());
      Files.write(target, file.getValue().bytes());
      Files.setPosixFilePermissions(target, permissions(file.getValue().mode()));
    }
    link(CURRENT, version.getFileName());
    linkNames(files);
    removeAllBut(version, before);
  }

  /** The version before stays: a process that just starts may be about to mount a part of it. */
  private void removeAllBut(Path version, Optional<Path> before) {
    Folders.names(path).stream()
        .filter(name -> name.startsWith("..") && !name.equals(CURRENT))
        .map(path::resolve)
        .filter(old -> !old.equals(version) && !Optional.of(old).equals(before))
        .forEach(Folders::remove);
  }

  private Path current() throws IOException {
    return path.resolve(Files.readSymbolicLink(path.resolve(CURRENT)));
  }

  private static boolean shows(Path version, SortedMap<String, FileContent> files)
      throws IOException {
    try (Stream<Path> all = Files.walk(version)) {
      List<String> names =
          all.filter(Files::isRegularFile)
              .map(file -> version.relativize(file).toString())
              .sorted()
              .toList();
      if (!names.equals(List.copyOf(files.keySet()))) {
        return false;
      }
    }
    for (var file : files.entrySet()) {
      Path there = version.resolve(file.getKey());
      FileContent wanted = file.getValue();
      if (!Arrays.equals(Files.readAllBytes(there), wanted.bytes())
          || !Files.getPosixFilePermissions(there).equals(permissions(wanted.mode()))) {
        return false;
      }
    }
    return true;
  }

  private static Path inside(Path version, String name) throws CannotStartException {
    Path target = version.resolve(name).normalize();
    if (!target.startsWith(version) || name.startsWith("..") || target.equals(version)) {
      throw new CannotStartException("the path %s leads out of its volume".formatted(name));
    }
    return target;
  }

  /** Makes a link, or turns one to another target, so that it is never missing. */
  private void link(String name, Path target) throws IOException {
    Path draft = path.resolve("..draft");
    Files.deleteIfExists(draft);
    Files.createSymbolicLink(draft, target);
    Files.move(draft, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private void linkNames(SortedMap<String, FileContent> files) throws IOException {
    var wanted = new TreeSet<String>();
    files.keySet().forEach(name -> wanted.add(Path.of(name).getName(0).toString()));
    for (String name : Folders.names(path)) {
      if (!name.startsWith("..") && !wanted.remove(name)) {
        Files.delete(path.resolve(name));
      }
    }
    for (String name : wanted) {
      link(name, Path.of(CURRENT, name));
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    var permissions = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values();
    for (int i = 0; i < all.length; i++) {
      // They are declared in the order of the bits, the highest one first.
      if ((mode & (0400 >> i)) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }
}
