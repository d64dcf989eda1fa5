package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.Condition;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.PodStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The status of a pod that follows from the state of its containers, as a kubelet reports it. Used
 * once.
 */
final class LocalPodStatus {
  private static final String COMPLETED = "PodCompleted";

  private final Pod pod;
  private final PodSpec spec;
  private final PodRuns runs;
  private final ContainerReports reports;

  LocalPodStatus(Pod pod, ContainerReports reports) {
    this.pod = pod;
    this.spec = pod.spec();
    this.runs = reports.runs();
    this.reports = reports;
  }

  /**
   * @param address of the node, which is the pod's too
   */
  PodStatus status(String address) {
    Instant now = reports.now();
    Pod.Phase phase = phase();
    PodStatus status =
        pod.status()
            .withPhase(phase)
            .withStarted(pod.status().started().orElse(now))
            .withAddresses(address, address)
            .withContainers(reports.ofInit(), reports.ofOthers());
    Optional<PodTermination> deadline = exceededDeadline();
    if (reports.over() && deadline.isPresent()) {
      status = status.withReason(deadline.get().reason(), deadline.get().message());
    }
    for (Condition condition : conditions(phase)) {
      status = status.withCondition(condition, now);
    }
    Optional<Condition> restarting = RestartAllContainers.condition(spec, runs, phase);
    if (restarting.isPresent()) {
      status = status.withCondition(restarting.get(), now);
    }
    return status.observedAt(pod.object().generation());
  }

  /** The status of a pod that is rejected because the node does not support its spec. */
  static PodStatus refused(Pod pod, String reason, String message, Instant now) {
    PodStatus status =
        pod.status()
            .withPhase(Pod.Phase.FAILED)
            .withReason(reason, message)
            .withStarted(pod.status().started().orElse(now));
    for (String type : List.of(PodStatus.READY, PodStatus.CONTAINERS_READY)) {
      status = status.withCondition(new Condition(type, false, "PodFailed", ""), now);
    }
    return status.observedAt(pod.object().generation());
  }

  private Optional<PodTermination> exceededDeadline() {
    return PodTermination.of(pod, reports.now()).filter(ending -> !ending.reason().isEmpty());
  }

  private Pod.Phase phase() {
    if (reports.over()) {
      boolean well = exceededDeadline().isEmpty() && all(this::endedWell);
      return well ? Pod.Phase.SUCCEEDED : Pod.Phase.FAILED;
    }
    boolean begun = reports.isInitialized() && all(each -> runs.hasRun(each.name()));
    return begun ? Pod.Phase.RUNNING : Pod.Phase.PENDING;
  }

  private boolean all(Predicate<Container> claim) {
    return spec.containers().stream().allMatch(claim);
  }

  private boolean endedWell(Container container) {
    return runs.ended(container.name()).filter(LocalPodStatus::isWell).isPresent();
  }

  private static boolean isWell(State.Ended ended) {
    return ended.exitCode() == 0;
  }

  private List<Condition> conditions(Pod.Phase phase) {
    boolean succeeded = phase == Pod.Phase.SUCCEEDED;
    boolean ended = reports.over();
    boolean initialized = succeeded || reports.isInitialized();
    Condition containersReady = containersReady(phase);
    return List.of(
        new Condition(PodStatus.READY_TO_START, !ended, "", ""),
        new Condition(
            PodStatus.INITIALIZED,
            initialized,
            succeeded ? COMPLETED : initialized ? "" : "ContainersNotInitialized",
            initialized
                ? ""
                : "containers with incomplete status: "
                    + names(spec.initContainers(), reports::isInitialized)),
        containersReady,
        ready(containersReady));
  }

  private Condition containersReady(Pod.Phase phase) {
    return switch (phase) {
      case SUCCEEDED -> new Condition(PodStatus.CONTAINERS_READY, false, COMPLETED, "");
      case FAILED -> new Condition(PodStatus.CONTAINERS_READY, false, "PodFailed", "");
      case PENDING, RUNNING, UNKNOWN -> {
        boolean ready = reports.isInitialized() && all(reports::isReady);
        yield new Condition(
            PodStatus.CONTAINERS_READY,
            ready,
            ready ? "" : "ContainersNotReady",
            ready
                ? ""
                : "containers with unready status: " + names(spec.containers(), reports::isReady));
      }
    };
  }

  private Condition ready(Condition containersReady) {
    List<String> closed =
        spec.readinessGates().stream().filter(gate -> !pod.status().holds(gate)).toList();
    if (!containersReady.holds() || closed.isEmpty()) {
      return new Condition(
          PodStatus.READY,
          containersReady.holds(),
          containersReady.reason(),
          containersReady.message());
    }
    String message =
        closed.stream()
            .map("corresponding condition of pod readiness gate \"%s\" does not exist."::formatted)
            .collect(Collectors.joining(", "));
    return new Condition(PodStatus.READY, false, "ReadinessGatesNotReady", message);
  }

  private static String names(List<Container> containers, Predicate<Container> good) {
    return containers.stream()
        .filter(good.negate())
        .map(Container::name)
        .collect(Collectors.joining(" ", "[", "]"));
  }
}
