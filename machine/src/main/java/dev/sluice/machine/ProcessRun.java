package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a run while it lives: what it writes goes into its log and to listeners, and when
 * it ends its children end with it.
 *
 * <p>Threads: safe. The streams have platform threads, because reading them blocks the thread.
 */
final class ProcessRun {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessRun.class);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final int SIGNALLED = 128;
  private static final int MAX_FAILURE = 4096;

  /** Hears what is written; must not block. */
  interface Listener {
    void hear(String stream, byte[] bytes);
  }

  private final InteractiveProcess process;
  private final Launch launch;
  private final RunFolder folder;
  private final LogFile log;
  private final Optional<Path> cgroup;
  private final Instant started;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile boolean over;
  private final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();
  private final List<Thread> readers;

  /**
   * @param launch what was started
   */
  ProcessRun(
      InteractiveProcess process,
      Launch launch,
      RunFolder folder,
      LogFile log,
      Optional<Path> cgroup,
      Instant started) {
    this.process = process;
    this.launch = launch;
    this.folder = folder;
    this.log = log;
    this.cgroup = cgroup;
    this.started = started;
    this.readers =
        process.outputs().entrySet().stream()
            .map(output -> reader(output.getKey(), output.getValue()))
            .toList();
  }

  private Thread reader(String stream, InputStream source) {
    InputStream heard =
        new HeardStream(
            source, bytes -> listeners.forEach(listener -> listener.hear(stream, bytes)));
    return Thread.ofPlatform()
        .daemon()
        .name(stream + "-of-" + pid())
        .stackSize(256 << 10)
        .start(() -> {
          try (heard) {
            log.copy(heard, stream);
          } catch (IOException closed) {
            LOG.debug("{} of process {} was closed", stream, pid(), closed);
          }
        });
  }

  private long pid() {
    return process.process().pid();
  }

  LogFile log() {
    return log;
  }

  InteractiveProcess process() {
    return process;
  }

  /** What was started. */
  Launch launch() {
    return launch;
  }

  RunFolder folder() {
    return folder;
  }

  Instant started() {
    return started;
  }

  Optional<Path> cgroup() {
    return cgroup;
  }

  void listen(Listener listener) {
    listeners.add(listener);
  }

  void leave(Listener listener) {
    listeners.remove(listener);
  }

  /** Whether it has ended and every listener has got all of its output. */
  boolean isOver() {
    return over;
  }

  /** Asks the process to end with the signal it wants for that, once; returns whether it did. */
  boolean terminate() {
    boolean first = asked.compareAndSet(false, true);
    if (first) {
      Signals.send(pid(), launch.stopSignal());
    }
    return first;
  }

  /** Ends it and all its children. */
  void kill() {
    cgroup.ifPresent(Cgroups::kill);
    process.process().descendants().forEach(ProcessHandle::destroyForcibly);
    Signals.sendToGroup(pid(), Signals.KILL);
    DescendantProcesses.kill(folder.path());
  }

  /** Waits for its end, sees to it that nothing of it is left, and reports how it ended. */
  State.Ended await() throws InterruptedException {
    try {
      int exitCode = process.process().waitFor();
      Instant finished = Instant.now();
      cgroup.ifPresent(Cgroups::kill);
      Signals.sendToGroup(pid(), Signals.KILL);
      DescendantProcesses.kill(folder.path());
      for (Thread reader : readers) {
        // One that cannot be found may hold the stream open for ever.
        reader.join(LAST_WORDS);
      }
      process.close();
      log.close();
      return ended(exitCode, finished);
    } finally {
      over = true;
    }
  }

  private State.Ended ended(int exitCode, Instant finished) throws InterruptedException {
    boolean outOfMemory = cgroup.filter(Cgroups::ranOutOfMemory).isPresent();
    cgroup.ifPresent(Cgroups::remove);
    Folders.remove(folder.scratch());
    String failure = failure(folder);
    if (!failure.isEmpty()) {
      return new State.Ended(SIGNALLED, State.START_ERROR, failure, Instant.EPOCH, finished);
    }
    String reason = exitCode == 0 ? "Completed" : outOfMemory ? "OOMKilled" : "Error";
    String words = TerminationMessage.of(folder, launch.message(), exitCode);
    return new State.Ended(exitCode, reason, words, started, finished);
  }

  /** Why a command could not be started, empty if it was. */
  static String failure(RunFolder folder) {
    try {
      return Folders.head(folder.failure(), MAX_FAILURE);
    } catch (IOException unreadable) {
      return "why it could not be started cannot be read: " + unreadable;
    }
  }
}
