package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns what is to be started into a process: the leader of a session of its own, so that all its
 * children can be found, with nothing of our own environment but the path of commands.
 */
final class Launcher {
  private static final List<Path> SHELLS = List.of(Path.of("/bin/bash"), Path.of("/bin/sh"));

  private final Path script;
  private final String shell;
  private final Namespaces namespaces;

  Launcher(Path folder, Namespaces namespaces) throws IOException {
    this.script = folder.resolve("launch.sh");
    this.namespaces = namespaces;
    // Others drop variables whose names they could not use themselves, such as a.b.
    this.shell = SHELLS.stream().filter(Files::isExecutable).findFirst().orElseThrow().toString();
    try (InputStream text = Launcher.class.getResourceAsStream("launch.sh")) {
      if (text == null) {
        throw new IllegalStateException("launch.sh is missing from the jar");
      }
      Files.write(script, text.readAllBytes());
    }
  }

  /** The process, ready to be started. */
  ProcessBuilder prepare(
      Launch launch, RunFolder folder, VolumeFolders volumes, Optional<Path> cgroup)
      throws IOException, CannotStartException {
    var views = new ArrayList<Namespaces.View>();
    for (Launch.Mount mount : launch.mounts()) {
      views.add(view(mount, volumes));
    }
    var command = new ArrayList<>(List.of("setsid"));
    if (!views.isEmpty()) {
      command.addAll(namespaces.prefix());
    }
    String directory = launch.directory().isEmpty() ? folder.work().toString() : launch.directory();
    command.addAll(
        List.of(
            shell,
            script.toString(),
            folder.failure().toString(),
            cgroup.map(Path::toString).orElse(""),
            folder.scratch().toString(),
            shell,
            directory));
    command.addAll(Namespaces.words(views));
    command.add("--");
    command.addAll(launch.command());
    var builder = new ProcessBuilder(command).directory(folder.work().toFile());
    builder.redirectInput(new File("/dev/null"));
    String path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().put("HOME", folder.work().toString());
    builder.environment().putAll(launch.environment());
    return builder;
  }

  private Namespaces.View view(Launch.Mount mount, VolumeFolders volumes)
      throws IOException, CannotStartException {
    if (namespaces.prefix().isEmpty()) {
      throw new CannotStartException(
          ("volumeMounts: volume %s cannot be mounted at %s, because this machine lets sluice make"
                  + " no mount namespaces: run sluice as root, or leave out the volume")
              .formatted(mount.volume(), mount.path()));
    }
    String target = stripped(mount.path());
    boolean plain = Path.of(target).normalize().toString().equals(target);
    if (!target.startsWith("/") || target.equals("/") || !plain) {
      throw new CannotStartException(
          "volumeMounts: the local node mounts at absolute paths below / without .. only, not at "
              + mount.path());
    }
    return new Namespaces.View(volumes.source(mount), target, mount.readOnly());
  }

  private static String stripped(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
