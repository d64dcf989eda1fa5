package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.ContainerProcess.Hook;
import dev.sluice.model.core.pod.ContainerState;
import dev.sluice.model.core.pod.ContainerStatus;
import dev.sluice.model.core.pod.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The runs of the containers of one pod, by name and attempt. A container that has run according to
 * the pod's status, but is unknown to the runtime, has ended in an unknown way: it never counts as
 * one that has not run yet.
 */
final class PodRuns {
  private static final int UNKNOWN_EXIT = 137;
  private static final String UNKNOWN = "ContainerStatusUnknown";

  private final SortedMap<String, TreeMap<Integer, Run>> runs = new TreeMap<>();

  /** How often each container was started. */
  private final SortedMap<String, Integer> starts = new TreeMap<>();

  private PodRuns() {}

  static PodRuns of(Pod pod, List<Run> known, Instant now) {
    var all = new PodRuns();
    known.forEach(all::add);
    Stream.of(pod.status().initContainers(), pod.status().containers())
        .flatMap(List::stream)
        .filter(status -> all.latest(status.name()).isEmpty())
        .forEach(status -> all.remember(pod.uid(), status, now));
    return all;
  }

  private void add(Run run) {
    runs.computeIfAbsent(run.id().container(), _ -> new TreeMap<>()).put(run.id().attempt(), run);
    starts.merge(run.id().container(), run.id().attempt() + 1, Math::max);
  }

  /** The runs that began at a time or later; starts before it still count. */
  PodRuns since(Instant time) {
    var later = new PodRuns();
    runs.values().stream()
        .flatMap(attempts -> attempts.values().stream())
        .filter(run -> !begun(run).isBefore(time))
        .forEach(later::add);
    later.starts.putAll(starts);
    return later;
  }

  /** When a run started, or failed to. */
  static Instant begun(Run run) {
    return switch (run.state()) {
      case State.Running(Instant started) -> started;
      case State.Ended end -> end.started().equals(Instant.EPOCH) ? end.finished() : end.started();
    };
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** The known runs of a container, the oldest first. */
  List<Run> all(String container) {
    TreeMap<Integer, Run> attempts = runs.get(container);
    return attempts == null ? List.of() : List.copyOf(attempts.values());
  }

  /** The attempt number of the next start of a container. */
  int nextAttempt(String container) {
    return starts.getOrDefault(container, 0);
  }

  private void remember(String pod, ContainerStatus status, Instant now) {
    int attempt = (int) status.restarts();
    switch (status.state().orElse(new ContainerState.Waiting("", ""))) {
      case ContainerState.Running(Instant started) ->
          add(new Run(new RunId(pod, status.name(), attempt), lost(started, now)));
      case ContainerState.Terminated end ->
          add(new Run(new RunId(pod, status.name(), attempt), ended(end)));
      case ContainerState.Waiting _ ->
          status
              .lastState()
              .filter(ContainerState.Terminated.class::isInstance)
              .map(ContainerState.Terminated.class::cast)
              .ifPresent(end -> add(new Run(new RunId(pod, status.name(), attempt), ended(end))));
    }
  }

  private static State lost(Instant started, Instant now) {
    return new State.Ended(
        UNKNOWN_EXIT,
        UNKNOWN,
        "The container could not be located when the node was started again",
        started,
        now);
  }

  private static State ended(ContainerState.Terminated end) {
    return new State.Ended(
        (int) end.exitCode(), end.reason(), end.message(), end.started(), end.finished());
  }

  Optional<Run> latest(String container) {
    return Optional.ofNullable(runs.get(container))
        .map(attempts -> attempts.lastEntry().getValue());
  }

  static RunId hookId(RunId run, Hook hook) {
    return new RunId(run.pod(), run.container() + "." + hook.word(), run.attempt());
  }

  /** The run of a hook, if it was started. */
  Optional<Run> hook(RunId run, Hook hook) {
    RunId id = hookId(run, hook);
    return latest(id.container()).filter(known -> known.id().equals(id));
  }

  /** Whether the postStart hook of a container has run, or it has none. */
  boolean hasFollowed(Container container, Run run) {
    return ContainerProcess.of(container).hook(Hook.POST_START).isEmpty()
        || hook(run.id(), Hook.POST_START)
            .filter(hook -> hook.state() instanceof State.Ended)
            .isPresent();
  }

  /** The run of a container before its latest one, if it is still known. */
  Optional<Run> previous(String container) {
    return latest(container)
        .flatMap(latest -> before(latest.id()))
        .filter(run -> run.state() instanceof State.Ended);
  }

  private Optional<Run> before(RunId id) {
    return Optional.ofNullable(runs.get(id.container()))
        .map(attempts -> attempts.lowerEntry(id.attempt()))
        .map(Map.Entry::getValue);
  }

  Optional<State.Ended> ended(String container) {
    return latest(container)
        .map(Run::state)
        .filter(State.Ended.class::isInstance)
        .map(State.Ended.class::cast);
  }

  Optional<Run> running(String container) {
    return latest(container).filter(run -> run.state() instanceof State.Running);
  }

  boolean hasRun(String container) {
    return runs.containsKey(container);
  }
}
