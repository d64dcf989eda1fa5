package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what an earlier machine left running because it was killed itself. */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
  private static final Duration FAREWELL = Duration.ofSeconds(5);
  private static final int KILLED = 137;

  private Leftovers() {}

  /** Ends the processes of a run of which no end is known, and notes how it ended. */
  static State.Ended end(RunFolder folder) {
    Optional<RunFolder.Identity> identity = folder.identity();
    identity
        .flatMap(known ->
            ProcessHandle.of(known.pid())
                .filter(handle -> handle.info().startInstant().equals(Optional.of(known.begun()))))
        .ifPresent(Leftovers::end);
    Kin.kill(folder.path());
    var end =
        new State.Ended(
            KILLED,
            "ContainerStatusUnknown",
            "sluice was stopped while the container ran, and its processes were ended",
            identity.map(RunFolder.Identity::begun).orElse(Instant.EPOCH),
            Instant.now());
    folder.writeEnd(end);
    return end;
  }

  private static void end(ProcessHandle handle) {
    LOG.info("process {} of an earlier run is ended", handle.pid());
    handle.descendants().forEach(ProcessHandle::destroyForcibly);
    Signals.sendToGroup(handle.pid(), Signals.KILL);
    awaitEnd(handle);
  }

  /** A killed process is there for another moment, and nothing may run twice. */
  private static void awaitEnd(ProcessHandle handle) {
    try {
      handle.onExit().get(FAREWELL.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException stays) {
      LOG.warn("process {} of an earlier run was killed, but is still there", handle.pid());
    }
  }
}
