package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.State;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a run while it lives: what it writes goes into its log, and when it ends its
 * children end with it.
 *
 * <p>Threads: safe. The streams have platform threads, because reading them blocks the thread.
 */
final class ProcessRun {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessRun.class);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final int SIGNALLED = 128;

  private final Process process;
  private final RunFolder folder;
  private final LogFile log;
  private final Optional<Path> cgroup;
  private final Instant started;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final List<Thread> readers;

  ProcessRun(
      Process process, RunFolder folder, LogFile log, Optional<Path> cgroup, Instant started) {
    this.process = process;
    this.folder = folder;
    this.log = log;
    this.cgroup = cgroup;
    this.started = started;
    this.readers =
        List.of(
            reader("stdout", process.getInputStream()), reader("stderr", process.getErrorStream()));
  }

  private Thread reader(String stream, InputStream source) {
    return Thread.ofPlatform()
        .daemon()
        .name(stream + "-of-" + process.pid())
        .stackSize(256 << 10)
        .start(() -> {
          try (source) {
            log.copy(source, stream);
          } catch (IOException closed) {
            LOG.debug("no more {} of process {}", stream, process.pid(), closed);
          }
        });
  }

  LogFile log() {
    return log;
  }

  /** Asks the process to end, once. */
  void terminate() {
    if (asked.compareAndSet(false, true)) {
      Signals.send(process.pid(), Signals.TERM);
    }
  }

  /** Ends it and all its children. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    Signals.sendToGroup(process.pid(), Signals.KILL);
  }

  /** Waits for its end, sees to it that nothing of it is left, and tells how it was. */
  State.Ended await() throws InterruptedException {
    int exitCode = process.waitFor();
    Instant finished = Instant.now();
    Signals.sendToGroup(process.pid(), Signals.KILL);
    for (Thread reader : readers) {
      // One that left the session may hold the stream open for ever.
      reader.join(LAST_WORDS);
    }
    log.close();
    boolean outOfMemory = cgroup.filter(Cgroups::ranOutOfMemory).isPresent();
    cgroup.ifPresent(Cgroups::remove);
    Folders.remove(folder.scratch());
    String failure = failure();
    if (!failure.isEmpty()) {
      return new State.Ended(SIGNALLED, "StartError", failure, Instant.EPOCH, finished);
    }
    String reason = exitCode == 0 ? "Completed" : outOfMemory ? "OOMKilled" : "Error";
    return new State.Ended(exitCode, reason, "", started, finished);
  }

  private String failure() {
    try {
      return Files.exists(folder.failure()) ? Files.readString(folder.failure()) : "";
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot read " + folder.failure(), failed);
    }
  }
}
