package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.ContainerProcess.Hook;
import dev.sluice.model.core.pod.ContainerState.Waiting;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The decision about the next steps of one pod, from its spec and the state of its containers.
 *
 * <p>Init containers run one after the other, and sidecars among them stay; then all other
 * containers run in parallel. A container that ended is restarted if its policy says so, after its
 * back-off. Once the others have ended for good, sidecars are terminated too, the last one first. A
 * rule may restart all containers. Used once.
 */
final class PodProgress {
  static final String BACK_OFF = "CrashLoopBackOff";

  /**
   * @param waiting the containers that must wait for their next start
   * @param next when to decide again, if nothing happens before
   * @param over whether no container of the pod will ever run again
   */
  record Plan(
      List<PodStep> steps,
      SortedMap<String, Waiting> waiting,
      Optional<Instant> next,
      boolean over) {}

  private final Pod pod;
  private final PodSpec spec;

  /** Including the runs before all containers were restarted. */
  private final PodRuns allRuns;

  private final Optional<RestartAllContainers> restart;
  private final PodRuns runs;
  private final ProbeResults health;
  private final RestartBackoff backoff;
  private final Instant now;
  private final List<PodStep> steps = new ArrayList<>();
  private final TreeMap<String, Waiting> waiting = new TreeMap<>();
  private Optional<Instant> next = Optional.empty();
  private boolean over;

  PodProgress(Pod pod, PodRuns runs, ProbeResults health, RestartBackoff backoff, Instant now) {
    this.pod = pod;
    this.spec = pod.spec();
    this.allRuns = runs;
    this.restart = RestartAllContainers.of(spec, runs);
    this.runs = restart.map(restarted -> runs.since(restarted.since())).orElse(runs);
    this.health = health;
    this.backoff = backoff;
    this.now = now;
  }

  Plan decide() {
    Optional<Instant> end = PodTermination.of(pod, now).map(PodTermination::deadline);
    if (end.isPresent() || !waitsToRestartAll()) {
      Optional<Instant> deadline = end.or(this::initFailure).or(this::completion);
      if (deadline.isPresent()) {
        over = !stopsSomething(deadline.get());
      } else {
        PodTermination.activeUntil(pod).ifPresent(this::lookAgain);
        advance();
      }
    }
    return new Plan(List.copyOf(steps), waiting, next, over);
  }

  /**
   * Terminates the runs before a restart of all containers; then the back-off of the container that
   * caused it delays all.
   */
  private boolean waitsToRestartAll() {
    if (restart.isEmpty()) {
      return false;
    }
    Instant deadline = restart.get().since().plus(spec.terminationGrace());
    List<Run> left = restart.get().left(spec, allRuns).toList();
    for (Run run : left) {
      // No preStop hooks: a restart of all containers is meant to be fast.
      steps.add(
          deadline.isAfter(now) ? new PodStep.Terminate(run.id()) : new PodStep.Kill(run.id()));
      lookAgain(deadline);
    }
    return !left.isEmpty() || (runs.isEmpty() && backsOff(restart.get()));
  }

  private boolean backsOff(RestartAllContainers restarted) {
    Container cause = restarted.container();
    if (isDue(cause, restarted.end())) {
      backoff.restarted(cause.name(), restarted.since(), now);
      return false;
    }
    return true;
  }

  /**
   * The deadline of the remaining containers because an init container failed for good, if one did.
   */
  private Optional<Instant> initFailure() {
    return spec.initContainers().stream()
        .filter(container -> !container.isSidecar())
        .flatMap(container ->
            runs
                .ended(container.name())
                .filter(end -> end.exitCode() != 0)
                .filter(end -> !RestartRules.mayRestartInit(spec, container, end))
                .stream())
        .map(end -> end.finished().plus(spec.terminationGrace()))
        .findFirst();
  }

  /** The deadline of the sidecars because all other containers ended for good, if they did. */
  private Optional<Instant> completion() {
    Instant last = Instant.MIN;
    for (Container container : spec.containers()) {
      Optional<State.Ended> end =
          runs.ended(container.name())
              .filter(ended -> !RestartRules.mayRestart(spec, container, ended));
      if (end.isEmpty()) {
        return Optional.empty();
      }
      last = end.get().finished().isAfter(last) ? end.get().finished() : last;
    }
    return Optional.of(last.plus(spec.terminationGrace()));
  }

  private void advance() {
    boolean begun = spec.containers().stream().anyMatch(each -> runs.hasRun(each.name()));
    for (Container container : spec.initContainers()) {
      boolean passed = (begun && !container.isSidecar()) || passed(container);
      if (!passed && !begun) {
        return;
      }
    }
    spec.containers().forEach(this::keepRunning);
  }

  /** Whether the containers after an init container may run. */
  private boolean passed(Container container) {
    Optional<State.Ended> ended = runs.ended(container.name());
    if (!container.isSidecar() && ended.isPresent() && ended.get().exitCode() == 0) {
      return true;
    }
    keepRunning(container);
    return container.isSidecar()
        && runs.running(container.name())
            .filter(run -> health.isStarted(container, run))
            .filter(run -> runs.hasFollowed(container, run))
            .isPresent();
  }

  private void keepRunning(Container container) {
    Optional<Run> latest = runs.latest(container.name());
    if (latest.isEmpty()) {
      start(container);
      return;
    }
    switch (latest.get().state()) {
      case State.Running _ -> {
        if (!health.isAlive(container, latest.get())) {
          stop(container, latest.get(), health.deadline(container, latest.get(), spec));
        } else {
          followStart(container, latest.get());
        }
      }
      case State.Ended ended -> {
        if (container.isSidecar() || RestartRules.mayRestart(spec, container, ended)) {
          restart(container, ended);
        }
      }
    }
  }

  private void start(Container container) {
    int attempt = runs.nextAttempt(container.name());
    steps.add(new PodStep.Start(container, new RunId(pod.uid(), container.name(), attempt)));
  }

  private void restart(Container container, State.Ended ended) {
    if (isDue(container, ended)) {
      backoff.restarted(container.name(), ended.finished(), now);
      start(container);
    }
  }

  /** Whether the back-off of a container that ended is over; if not, its waiting state is noted. */
  private boolean isDue(Container container, State.Ended ended) {
    Duration delay = backoff.delay(container.name(), ended.finished());
    Instant due = ended.finished().plus(delay);
    if (!due.isAfter(now)) {
      return true;
    }
    String message =
        "back-off %s restarting failed container=%s pod=%s_%s(%s)"
            .formatted(words(delay), container.name(), pod.name(), pod.namespace(), pod.uid());
    waiting.put(container.name(), new Waiting(BACK_OFF, message));
    lookAgain(due);
    return false;
  }

  /** As Go formats durations, such as {@code 10s} and {@code 2m40s}. */
  private static String words(Duration delay) {
    return (delay.toMinutes() > 0 ? delay.toMinutes() + "m" : "") + delay.toSecondsPart() + "s";
  }

  /**
   * Terminates what runs: first all but the sidecars, then these one by one, the last one first.
   */
  private boolean stopsSomething(Instant deadline) {
    var groups = new ArrayList<List<Container>>();
    var first = new ArrayList<>(spec.containers());
    for (Container container : spec.initContainers().reversed()) {
      if (container.isSidecar()) {
        groups.add(List.of(container));
      } else {
        first.add(container);
      }
    }
    groups.addFirst(first);
    for (List<Container> group : groups) {
      List<Container> running =
          group.stream().filter(each -> allRuns.running(each.name()).isPresent()).toList();
      if (!running.isEmpty()) {
        running.forEach(each -> stop(each, allRuns.running(each.name()).orElseThrow(), deadline));
        return true;
      }
    }
    return false;
  }

  private void stop(Container container, Run run, Instant deadline) {
    if (!deadline.isAfter(now)) {
      steps.add(new PodStep.Kill(run.id()));
      return;
    }
    lookAgain(deadline);
    boolean prepares = ContainerProcess.of(container).hook(Hook.PRE_STOP).isPresent();
    Optional<Run> preparation = runs.hook(run.id(), Hook.PRE_STOP);
    if (prepares && preparation.isEmpty()) {
      runHook(container, run, Hook.PRE_STOP);
    } else if (!prepares || preparation.get().state() instanceof State.Ended) {
      steps.add(new PodStep.Terminate(run.id()));
    }
  }

  /** Runs the postStart hook of a container; it must not fail. */
  private void followStart(Container container, Run run) {
    if (ContainerProcess.of(container).hook(Hook.POST_START).isEmpty()) {
      return;
    }
    Optional<Run> hook = runs.hook(run.id(), Hook.POST_START);
    if (hook.isEmpty()) {
      runHook(container, run, Hook.POST_START);
    } else if (hook.get().state() instanceof State.Ended end && end.exitCode() != 0) {
      steps.add(new PodStep.ReportFailure(Hook.POST_START, end));
      stop(container, run, end.finished().plus(spec.terminationGrace()));
    }
  }

  private void runHook(Container container, Run run, Hook hook) {
    steps.add(new PodStep.RunHook(container, PodRuns.hookId(run.id(), hook), hook));
  }

  private void lookAgain(Instant time) {
    next = next.filter(known -> known.isBefore(time)).or(() -> Optional.of(time));
  }
}
