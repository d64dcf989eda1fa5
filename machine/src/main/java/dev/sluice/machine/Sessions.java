package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.runtime.ContainerSessions.Output;
import dev.sluice.runtime.ContainerSessions.Session;
import dev.sluice.runtime.ContainerSessions.Wish;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The open sessions with containers. A command that runs beside a container has the same variables,
 * volumes and limits, and ends with it at the latest.
 *
 * <p>Threads: safe.
 */
final class Sessions {
  private static final int PATIENCE_MILLIS = 5_000;

  private final Path pods;
  private final Launcher launcher;
  private final AtomicLong count = new AtomicLong();
  private final Map<Long, ProcessRun> owners = new ConcurrentHashMap<>();
  private final Map<Long, CommandSession> commands = new ConcurrentHashMap<>();

  Sessions(Path pods, Launcher launcher) {
    this.pods = pods;
    this.launcher = launcher;
  }

  Session open(Wish wish, RunId id, ProcessRun run, VolumeFolders volumes, Output output)
      throws IOException {
    if (wish.command().isEmpty()) {
      return attach(wish, run, output);
    }
    long number = count.incrementAndGet();
    RunFolder folder =
        RunFolder.of(pods, new RunId(id.pod(), id.container() + ".exec-" + number, id.attempt()));
    folder.create();
    try {
      Launch launch = beside(run, wish);
      InteractiveProcess process =
          InteractiveProcess.start(
              launch.streams(),
              terminal -> launcher.prepare(launch, folder, volumes, run.cgroup(), terminal));
      folder.writeIdentity(RunFolder.Identity.of(process.process()));
      var session = new CommandSession(process, folder, output, () -> forget(number));
      owners.put(number, run);
      commands.put(number, session);
      return session;
    } catch (CannotStartException failed) {
      folder.removeContainer();
      throw new IOException(failed.getMessage(), failed);
    }
  }

  private static Session attach(Wish wish, ProcessRun run, Output output) throws IOException {
    if (wish.input() && !run.launch().streams().input()) {
      throw new IOException(
          "container %s has no input: give it stdin: true".formatted(wish.container()));
    }
    if (wish.terminal() && !run.launch().streams().terminal()) {
      throw new IOException(
          "container %s has no terminal: give it tty: true".formatted(wish.container()));
    }
    return new AttachedSession(run, output);
  }

  private static Launch beside(ProcessRun run, Wish wish) {
    Launch launch = run.launch();
    var variables = new TreeMap<>(launch.environment());
    variables.putIfAbsent("HOME", run.folder().work().toString());
    if (wish.terminal()) {
      variables.putIfAbsent("TERM", "xterm");
    }
    String directory =
        launch.directory().isEmpty() ? run.folder().work().toString() : launch.directory();
    return new Launch(
        wish.command(),
        variables,
        directory,
        launch.mounts(),
        launch.limits(),
        Launch.Message.NONE,
        new Launch.Streams(wish.input(), false, wish.terminal()),
        launch.restraint(),
        Signals.TERM);
  }

  /**
   * Connects to a port on which a process of a pod listens.
   *
   * @param runs what runs of the pod
   */
  Socket connect(String pod, List<ProcessRun> runs, int port) throws IOException {
    var processes = new TreeSet<Long>(DescendantProcesses.find(pods.resolve(pod)));
    runs.stream()
        .flatMap(run -> run.cgroup().stream())
        .forEach(group -> processes.addAll(Cgroups.processes(group)));
    InetSocketAddress address =
        Ports.find(processes, port)
            .orElseThrow(
                () -> new IOException("no process of the pod listens on port %d".formatted(port)));
    var socket = new Socket();
    socket.connect(address, PATIENCE_MILLIS);
    return socket;
  }

  private void forget(long number) {
    owners.remove(number);
    commands.remove(number);
  }

  /** Ends the commands beside a run that has ended. */
  void end(ProcessRun run) {
    owners.forEach((number, owner) -> {
      if (owner == run) {
        CommandSession session = commands.get(number);
        if (session != null) {
          session.close();
        }
      }
    });
  }
}
