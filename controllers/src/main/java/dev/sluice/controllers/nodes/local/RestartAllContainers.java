package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.Condition;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.ContainerProcess.RestartRule;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The restart of all containers of a pod, with its init containers, because one of them ended in a
 * way for which a rule demands it. Runs that began before that end do not count any more.
 *
 * @param container the one that ended
 * @param end how it ended
 */
record RestartAllContainers(Container container, State.Ended end) {
  private static final String ACTION = "RestartAllContainers";
  private static final String CONDITION = "AllContainersRestarting";

  /** The latest restart of all containers. */
  static Optional<RestartAllContainers> of(PodSpec spec, PodRuns runs) {
    return containers(spec)
        .flatMap(
            container -> runs.all(container.name()).stream().flatMap(run -> caused(container, run)))
        .reduce((one, other) -> other.since().isAfter(one.since()) ? other : one);
  }

  private static Stream<RestartAllContainers> caused(Container container, Run run) {
    return run.state() instanceof State.Ended end
            && RestartRules.rule(container, end)
                .filter(RestartAllContainers::restartsAll)
                .isPresent()
        ? Stream.of(new RestartAllContainers(container, end))
        : Stream.empty();
  }

  private static boolean restartsAll(RestartRule rule) {
    return rule.action().equals(ACTION);
  }

  private static Stream<Container> containers(PodSpec spec) {
    return Stream.concat(spec.initContainers().stream(), spec.containers().stream());
  }

  Instant since() {
    return end.finished();
  }

  /** What still runs from before the restart. */
  Stream<Run> left(PodSpec spec, PodRuns runs) {
    return containers(spec)
        .flatMap(each -> runs.running(each.name()).stream())
        .filter(run -> PodRuns.begun(run).isBefore(since()));
  }

  /** The condition of a pod that has such rules. */
  static Optional<Condition> condition(PodSpec spec, PodRuns runs, Pod.Phase phase) {
    boolean never =
        containers(spec)
            .flatMap(container -> ContainerProcess.of(container).restartRules().stream())
            .noneMatch(RestartAllContainers::restartsAll);
    if (never) {
      return Optional.empty();
    }
    boolean goesOn =
        of(spec, runs)
            .filter(restart -> restart.left(spec, runs).findAny().isPresent())
            .isPresent();
    return Optional.of(
        switch (phase) {
          case SUCCEEDED -> new Condition(CONDITION, false, "PodCompleted", "");
          case FAILED -> new Condition(CONDITION, false, "PodFailed", "");
          case PENDING, RUNNING, UNKNOWN ->
              goesOn
                  ? new Condition(
                      CONDITION,
                      true,
                      "RestartAllContainersStarted",
                      "container exited with restart policy rule")
                  : new Condition(CONDITION, false, "", "");
        });
  }
}
