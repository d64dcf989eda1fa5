package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.controllers.nodes.local.Launch.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Makes the volumes of one pod: a folder each, made once and shared by its containers. */
record VolumeFolders(Path path) {

  /** The file or folder that a mount shows. */
  Path source(Launch.Mount mount) throws IOException, CannotStartException {
    Path volume =
        switch (mount.content()) {
          case Content.Scratch() -> Files.createDirectories(path.resolve(mount.volume()));
          case Content.Host(String host, String type) -> host(host, type);
          case Content.Files(var files) -> files(mount.volume(), files);
        };
    if (mount.subPath().isEmpty()) {
      return volume;
    }
    Path part = inside(volume, mount.subPath());
    if (!Files.exists(part)) {
      Files.createDirectories(part);
    }
    if (!part.toRealPath().startsWith(volume.toRealPath())) {
      throw new CannotStartException(
          "volumeMounts: subPath %s leads out of volume %s"
              .formatted(mount.subPath(), mount.volume()));
    }
    return part;
  }

  private static Path inside(Path volume, String name) throws CannotStartException {
    Path part = volume.resolve(name).normalize();
    if (!part.startsWith(volume)) {
      throw new CannotStartException("the path %s leads out of its volume".formatted(name));
    }
    return part;
  }

  private static Path host(String host, String type) throws IOException, CannotStartException {
    Path path = Path.of(host);
    if (type.equals("DirectoryOrCreate")) {
      Files.createDirectories(path);
    } else if (type.equals("FileOrCreate") && !Files.exists(path)) {
      Files.createFile(path);
    }
    boolean right =
        switch (type) {
          case "File", "FileOrCreate" -> Files.isRegularFile(path);
          case "Directory", "DirectoryOrCreate" -> Files.isDirectory(path);
          default -> Files.exists(path);
        };
    if (!right) {
      throw new CannotStartException(
          "hostPath type check failed: %s is not a %s of this machine"
              .formatted(host, type.isEmpty() ? "file or folder" : type));
    }
    return path;
  }

  private Path files(String name, Map<String, Launch.FileContent> files)
      throws IOException, CannotStartException {
    Path volume = path.resolve(name);
    if (Files.isDirectory(volume)) {
      return volume;
    }
    // It gets its name once it is complete, so that half a volume is never taken for one.
    Path draft = path.resolve(name + ".draft");
    Folders.remove(draft);
    Files.createDirectories(draft);
    for (var file : files.entrySet()) {
      Path target = inside(draft, file.getKey());
      Files.createDirectories(draft.resolve(target).getParent());
      Files.write(target, file.getValue().bytes());
      Files.setPosixFilePermissions(target, permissions(file.getValue().mode()));
    }
    return Files.move(draft, volume, StandardCopyOption.ATOMIC_MOVE);
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
