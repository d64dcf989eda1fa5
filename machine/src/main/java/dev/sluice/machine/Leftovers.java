package dev.sluice.machine;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an earlier machine noted, and what it left running because it was killed itself. */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
  private static final Duration FAREWELL = Duration.ofSeconds(5);
  private static final int KILLED = 137;

  /** Not whatever else a pod may have left where its runs are. */
  private static final Predicate<String> ATTEMPT = Pattern.compile("[0-9]{1,9}").asMatchPredicate();

  private Leftovers() {}

  /** Notes how the runs of a pod ended, and ends those that have not. */
  static void recall(Path pods, String pod, Cgroups cgroups, PodRecord record) {
    // What begins with a dot is no container.
    for (String container : Folders.names(pods.resolve(pod))) {
      for (String attempt : Folders.names(pods.resolve(pod).resolve(container))) {
        if (!container.startsWith(".") && ATTEMPT.test(attempt)) {
          var id = new RunId(pod, container, Integer.parseInt(attempt));
          record.ended(id, end(pods, id, cgroups));
        }
      }
    }
  }

  private static State.Ended end(Path pods, RunId id, Cgroups cgroups) {
    RunFolder folder = RunFolder.of(pods, id);
    Optional<State.Ended> noted = folder.end();
    if (noted.isPresent()) {
      return noted.get();
    }
    cgroups.clear(id);
    return end(folder);
  }

  /** Ends the processes of a run of which no end is known, and notes how it ended. */
  private static State.Ended end(RunFolder folder) {
    Optional<RunFolder.Identity> identity = folder.identity();
    identity
        .flatMap(known ->
            ProcessHandle.of(known.pid())
                .filter(handle -> handle.info().startInstant().equals(Optional.of(known.begun()))))
        .ifPresent(Leftovers::end);
    DescendantProcesses.kill(folder.path());
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
    LOG.info("process {} of an earlier run is killed", handle.pid());
    handle.descendants().forEach(ProcessHandle::destroyForcibly);
    Signals.sendToGroup(handle.pid(), Signals.KILL);
    awaitEnd(handle);
  }

  /** A killed process stays for a short time, and nothing may run twice. */
  private static void awaitEnd(ProcessHandle handle) {
    try {
      handle.onExit().get(FAREWELL.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException stays) {
      LOG.warn("process {} of an earlier run was killed, but still exists", handle.pid());
    }
  }
}
