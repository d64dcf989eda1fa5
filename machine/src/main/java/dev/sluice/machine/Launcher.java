package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Launch;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * Turns what is to be started into a process: the leader of a session of its own, so that all its
 * children can be found, with nothing of our own environment but the path of commands.
 */
final class Launcher {
  private static final List<Path> SHELLS = List.of(Path.of("/bin/bash"), Path.of("/bin/sh"));

  private static final List<Path> GUARDS =
      List.of(Path.of("/usr/bin/setpriv"), Path.of("/bin/setpriv"));
  private static final Path USUAL_MESSAGE = Path.of("/dev/termination-log");
  private static final Pattern CAPABILITY = Pattern.compile("[A-Za-z_]+");

  private final Path script;
  private final String shell;
  private final Namespaces namespaces;

  /** What makes processes heed all signals although this program ignores some; often empty. */
  private final List<String> heeding;

  Launcher(Path folder, Namespaces namespaces) throws IOException {
    this.script = folder.resolve("launch.sh");
    this.namespaces = namespaces;
    this.heeding =
        Signals.areIgnored() && CapabilityProbe.succeeds(List.of("env", "--default-signal", "true"))
            ? List.of("env", "--default-signal")
            : List.of();
    // Others drop variables whose names they could not use themselves, such as a.b.
    this.shell = SHELLS.stream().filter(Files::isExecutable).findFirst().orElseThrow().toString();
    try (InputStream text = Launcher.class.getResourceAsStream("launch.sh")) {
      if (text == null) {
        throw new IllegalStateException("launch.sh is missing from the jar");
      }
      Files.write(script, text.readAllBytes());
    }
  }

  /**
   * The process, ready to be started.
   *
   * @param terminal the path of the one it is to have, empty for none
   */
  ProcessBuilder prepare(
      Launch launch,
      RunFolder folder,
      VolumeFolders volumes,
      Optional<Path> cgroup,
      String terminal)
      throws IOException, CannotStartException {
    refuseNul(launch.environment());
    var views = new ArrayList<Namespaces.View>();
    for (Launch.Mount mount : launch.mounts()) {
      views.add(view(mount, volumes));
    }
    messageView(launch.message(), folder, !views.isEmpty()).ifPresent(views::add);
    String group = cgroup.map(Path::toString).orElse("");
    List<String> command = command(launch, folder, views, group, terminal);
    var builder = new ProcessBuilder(command).directory(folder.work().toFile());
    if (!launch.streams().input() || !terminal.isEmpty()) {
      builder.redirectInput(new File("/dev/null"));
    }
    String path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().put("HOME", folder.work().toString());
    builder.environment().putAll(launch.environment());
    builder.environment().put(DescendantProcesses.VARIABLE, folder.path() + "/");
    return builder;
  }

  /** The words that launch.sh is started with, and those that it starts in turn. */
  private List<String> command(
      Launch launch, RunFolder folder, List<Namespaces.View> views, String group, String terminal)
      throws CannotStartException {
    var command = new ArrayList<>(heeding);
    command.add("setsid");
    if (!views.isEmpty()) {
      command.addAll(namespaces.prefix());
    }
    String directory = launch.directory().isEmpty() ? folder.work().toString() : launch.directory();
    command.addAll(
        List.of(
            shell,
            script.toString(),
            folder.failure().toString(),
            group,
            folder.scratch().toString(),
            shell,
            terminal,
            guard(launch.restraint()),
            directory));
    command.addAll(Namespaces.words(views));
    command.add("--");
    command.addAll(launch.command());
    return command;
  }

  /** Secrets have such bytes, so the message does not have the value. */
  private static void refuseNul(SortedMap<String, String> environment) throws CannotStartException {
    for (var variable : environment.entrySet()) {
      if (variable.getKey().indexOf('\0') >= 0 || variable.getValue().indexOf('\0') >= 0) {
        throw new CannotStartException(
            "env %s: no variable of a process can have a NUL character: give binary values in files"
                    .formatted(variable.getKey().replace('\0', ' '))
                + " of volumes");
      }
    }
  }

  /** The command that takes rights from a process before it starts, empty if all stay. */
  private static String guard(Launch.Restraint restraint) throws CannotStartException {
    if (restraint.equals(Launch.Restraint.NONE)) {
      return "";
    }
    Path program =
        GUARDS.stream()
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(() ->
                new CannotStartException(
                    "securityContext: this machine has no setpriv to take rights away: install"
                        + " util-linux, or leave out allowPrivilegeEscalation and capabilities"));
    var words = new ArrayList<>(List.of(program.toString()));
    if (restraint.noNewPrivileges()) {
      words.add("--no-new-privs");
    }
    var dropped = new ArrayList<String>();
    for (String name : restraint.droppedCapabilities()) {
      if (!CAPABILITY.matcher(name).matches()) {
        throw new CannotStartException(
            "securityContext.capabilities.drop: there is no capability " + name);
      }
      dropped.add("-" + name.toLowerCase(Locale.ROOT).replaceFirst("^cap_", ""));
    }
    if (!dropped.isEmpty()) {
      words.add("--bounding-set=" + String.join(",", dropped));
      words.add("--inh-caps=" + String.join(",", dropped));
    }
    return String.join(" ", words);
  }

  /**
   * Where the process leaves its last words: a file of its own at the path it asked for, so that it
   * can never have us read another one. Only root can have the usual path on every machine.
   */
  private Optional<Namespaces.View> messageView(
      Launch.Message message, RunFolder folder, boolean mounts)
      throws IOException, CannotStartException {
    if (message.path().isEmpty() || namespaces.prefix().isEmpty()) {
      return Optional.empty();
    }
    String target = target(message.path());
    if (Path.of(target).equals(USUAL_MESSAGE) && !usualMessageWorks(mounts)) {
      return Optional.empty();
    }
    if (!Files.exists(folder.message())) {
      Files.createFile(folder.message());
    }
    return Optional.of(new Namespaces.View(folder.message(), target, false));
  }

  private boolean usualMessageWorks(boolean mounts) {
    if (!namespaces.isOfRoot() && !mounts) {
      return false;
    }
    try {
      if (!Files.exists(USUAL_MESSAGE)) {
        // An empty file to mount on; copies of the whole folder would cost every start a lot.
        Files.createFile(USUAL_MESSAGE);
      }
      return true;
    } catch (IOException notAllowed) {
      return Files.exists(USUAL_MESSAGE);
    }
  }

  private Namespaces.View view(Launch.Mount mount, VolumeFolders volumes)
      throws IOException, CannotStartException {
    if (namespaces.prefix().isEmpty()) {
      throw new CannotStartException(
          ("volumeMounts: volume %s cannot be mounted at %s, because this machine lets sluice make"
                  + " no mount namespaces: run sluice as root, or leave out the volume")
              .formatted(mount.volume(), mount.path()));
    }
    return new Namespaces.View(volumes.source(mount), target(mount.path()), mount.readOnly());
  }

  private static String target(String path) throws CannotStartException {
    String target = stripped(path);
    boolean plain = Path.of(target).normalize().toString().equals(target);
    if (!target.startsWith("/") || target.equals("/") || !plain) {
      throw new CannotStartException(
          "the local node mounts at absolute paths below / without .. only, not at " + path);
    }
    return target;
  }

  private static String stripped(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
