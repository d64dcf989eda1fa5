package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.controllers.nodes.local.Launch.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the volumes of one pod: a folder each, made once and shared by its containers. */
record VolumeFolders(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeFolders.class);
  private static final int MAX_READ = 1 << 20;

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

  /** What a file of a volume says, if it is a file in there and not too large. */
  Optional<String> read(String volume, String file) {
    Path folder = path.resolve(volume);
    Path target = folder.resolve(file.replaceFirst("^/+", ""));
    try {
      // A pod may have left a pipe, a device, or a link to what is not its own.
      boolean own =
          Files.isRegularFile(target) && target.toRealPath().startsWith(folder.toRealPath());
      return own ? read(target) : Optional.empty();
    } catch (IOException failed) {
      LOG.debug("{} cannot be read", target, failed);
      return Optional.empty();
    }
  }

  private static Optional<String> read(Path file) throws IOException {
    try (InputStream content = Files.newInputStream(file)) {
      byte[] bytes = content.readNBytes(MAX_READ + 1);
      return bytes.length > MAX_READ
          ? Optional.empty()
          : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  /** Has the volumes that were mounted show these files from now on. */
  void refresh(SortedMap<String, Content.Files> contents) {
    for (var content : contents.entrySet()) {
      var volume = new FileVolume(path.resolve(content.getKey()));
      try {
        if (volume.isThere()) {
          volume.show(content.getValue().files());
        }
      } catch (IOException | CannotStartException failed) {
        LOG.warn("{} could not be updated and keeps its former content", volume.path(), failed);
      }
    }
  }
}
