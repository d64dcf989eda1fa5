package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerState;
import dev.sluice.model.core.pod.ContainerState.Terminated;
import dev.sluice.model.core.pod.ContainerState.Waiting;
import dev.sluice.model.core.pod.ContainerStatus;
import dev.sluice.model.core.pod.PodSpec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The container statuses of a pod.
 *
 * @param waiting the reason for which containers do not run, where it is known
 * @param over whether no container of the pod will ever run again
 */
record ContainerReports(
    PodSpec spec,
    PodRuns runs,
    ProbeResults health,
    SortedMap<String, Waiting> waiting,
    boolean over,
    Instant now) {
  private static final int KILLED = 137;

  /** The limit for the termination messages of all containers of a pod together. */
  private static final int MAX_MESSAGES = 12 << 10;

  List<ContainerStatus> ofInit() {
    return spec.initContainers().stream()
        .map(each -> report(each, isInitialized(each), isInitialized(each) && each.isSidecar()))
        .toList();
  }

  List<ContainerStatus> ofOthers() {
    return spec.containers().stream()
        .map(each -> report(each, isReady(each), isStarted(each)))
        .toList();
  }

  /** Whether all init containers are done, so that the other containers may start. */
  boolean isInitialized() {
    return spec.initContainers().stream().allMatch(this::isInitialized)
        || spec.containers().stream().anyMatch(each -> runs.hasRun(each.name()));
  }

  boolean isInitialized(Container init) {
    return init.isSidecar()
        ? isStarted(init)
        : runs.ended(init.name()).filter(end -> end.exitCode() == 0).isPresent();
  }

  boolean isStarted(Container container) {
    return runs.running(container.name())
        .filter(run -> health.isStarted(container, run))
        .filter(run -> runs.hasFollowed(container, run))
        .isPresent();
  }

  boolean isReady(Container container) {
    return isStarted(container)
        && runs.running(container.name()).filter(run -> health.isReady(container, run)).isPresent();
  }

  private ContainerStatus report(Container container, boolean ready, boolean started) {
    String name = container.name();
    Optional<Run> run = runs.latest(name);
    Optional<ContainerState> latest = run.map(each -> state(each.state()));
    Optional<ContainerState> waits =
        over ? Optional.empty() : Optional.ofNullable(waiting.get(name));
    Optional<Run> last = waits.isPresent() ? run : runs.previous(name);
    return ContainerStatus.of(
        container,
        run.map(ContainerReports::id).orElse(""),
        waits.or(() -> latest).orElseGet(this::neverRun),
        last.map(each -> state(each.state())),
        last.map(ContainerReports::id).orElse(""),
        run.map(each -> each.id().attempt()).orElse(0),
        ready,
        started);
  }

  private ContainerState neverRun() {
    if (over && isInitialized()) {
      return new Terminated(
          KILLED,
          "ContainerStatusUnknown",
          "The container could not be located when the pod was terminated",
          Instant.EPOCH,
          now);
    }
    return new Waiting(isInitialized() ? "ContainerCreating" : "PodInitializing", "");
  }

  private ContainerState state(State state) {
    return switch (state) {
      case State.Running(Instant started) -> new ContainerState.Running(started);
      case State.Ended(var exitCode, var reason, var message, var started, var finished) ->
          new Terminated(exitCode, reason, shortened(message), started, finished);
    };
  }

  private String shortened(String message) {
    int limit = MAX_MESSAGES / (spec.containers().size() + spec.initContainers().size());
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= limit
        ? message
        : new String(bytes, 0, limit, StandardCharsets.UTF_8).replaceAll("\uFFFD+$", "");
  }

  private static String id(Run run) {
    return "process://%s/%s/%d".formatted(run.id().pod(), run.id().container(), run.id().attempt());
  }
}
