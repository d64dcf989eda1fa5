package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.controllers.nodes.local.Launch.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;

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
    return mount.subPath().isEmpty() ? volume : part(volume, mount);
  }

  private static Path part(Path volume, Launch.Mount mount)
      throws IOException, CannotStartException {
    Path part = volume.resolve(mount.subPath()).normalize();
    // Looked at before anything is made: a link that the pod left must not have us make folders.
    Path there = part;
    while (!Files.exists(there) && there.startsWith(volume)) {
      there = there.resolve("..").normalize();
    }
    if (!part.startsWith(volume) || !there.toRealPath().startsWith(volume.toRealPath())) {
      throw new CannotStartException(
          "volumeMounts: subPath %s leads out of volume %s"
              .formatted(mount.subPath(), mount.volume()));
    }
    Files.createDirectories(Files.exists(part) ? volume : part);
    return part.toRealPath();
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
          case "Socket" -> Files.exists(path) && !Files.isRegularFile(path);
          default -> Files.exists(path);
        };
    if (!right) {
      throw new CannotStartException(
          "hostPath type check failed: %s is not a %s of this machine"
              .formatted(host, type.isEmpty() ? "file or folder" : type));
    }
    return path;
  }

  private Path files(String name, SortedMap<String, Launch.FileContent> files)
      throws IOException, CannotStartException {
    var volume = new FileVolume(path.resolve(name));
    if (!volume.isThere()) {
      volume.show(files);
    }
    return volume.path();
  }

  /** Has the volumes that were mounted show these files from now on. */
  void refresh(SortedMap<String, Content.Files> contents) throws IOException, CannotStartException {
    for (var content : contents.entrySet()) {
      var volume = new FileVolume(path.resolve(content.getKey()));
      if (volume.isThere()) {
        volume.show(content.getValue().files());
      }
    }
  }
}
