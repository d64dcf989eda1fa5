package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.core.pod.Probe;
import dev.sluice.model.core.pod.Probe.Purpose;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * The prober of the containers of one pod. Until a startup probe has succeeded, the other two do
 * not run.
 *
 * <p>Threads: results come on any thread and wait in a queue; everything else belongs to the
 * controller.
 */
final class Probes implements ProbeResults {

  /** The runner of a probe; the result goes to {@link #answer}. */
  interface Asker {
    void ask(Container container, RunId id, Purpose purpose, Probe probe);
  }

  /** A failed probe, for an event. */
  record Complaint(Purpose purpose, String message) {}

  private record ProbeAnswer(RunId id, Purpose purpose, String wrong) {}

  /** The state of one probe of one run. */
  private static final class ProbeState {
    private final Probe probe;
    private Instant next;
    private boolean asking;
    private boolean passes;
    private long good;
    private long bad;
    private Optional<Instant> failed = Optional.empty();

    ProbeState(Probe probe, Instant started) {
      this.probe = probe;
      this.next = started.plus(probe.initialDelay());
    }

    void take(boolean well, Instant now) {
      asking = false;
      good = well ? good + 1 : 0;
      bad = well ? 0 : bad + 1;
      if (good >= probe.successThreshold()) {
        passes = true;
      }
      if (bad >= probe.failureThreshold()) {
        passes = false;
        failed = failed.or(() -> Optional.of(now));
      }
    }
  }

  private final TreeMap<String, ProbeState> standings = new TreeMap<>();
  private final ConcurrentLinkedQueue<ProbeAnswer> answers = new ConcurrentLinkedQueue<>();

  /** Takes the result of a probe: what is wrong, or an empty string. */
  void answer(RunId id, Purpose purpose, String wrong) {
    answers.add(new ProbeAnswer(id, purpose, wrong));
  }

  /** Applies the results that have arrived; returns the failures. */
  List<Complaint> weigh(Instant now) {
    var complaints = new ArrayList<Complaint>();
    for (ProbeAnswer answer = answers.poll(); answer != null; answer = answers.poll()) {
      boolean well = answer.wrong().isEmpty();
      Optional.ofNullable(standings.get(key(answer.id(), answer.purpose())))
          .ifPresent(standing -> standing.take(well, now));
      if (!well) {
        complaints.add(new Complaint(answer.purpose(), answer.wrong()));
      }
    }
    return complaints;
  }

  /** Runs the probes that are due; returns when the next one is. */
  Optional<Instant> ask(PodSpec pod, PodRuns runs, Instant now, Asker asker) {
    Instant next = Instant.MAX;
    List<Container> probed =
        Stream.concat(
                pod.initContainers().stream().filter(Container::isSidecar),
                pod.containers().stream())
            .toList();
    for (Container container : probed) {
      Optional<Run> run = runs.running(container.name());
      for (Purpose purpose : run.isPresent() ? wanted(container, run.get()) : List.<Purpose>of()) {
        ProbeState standing = standing(container, run.get(), purpose).orElseThrow();
        if (!standing.asking && !standing.next.isAfter(now)) {
          standing.asking = true;
          standing.next = now.plus(standing.probe.period());
          asker.ask(container, run.get().id(), purpose, standing.probe);
        }
        next = standing.asking || standing.next.isAfter(next) ? next : standing.next;
      }
    }
    return next.equals(Instant.MAX) ? Optional.empty() : Optional.of(next);
  }

  private List<Purpose> wanted(Container container, Run run) {
    if (!isStarted(container, run)) {
      return List.of(Purpose.STARTUP);
    }
    return Stream.of(Purpose.READINESS, Purpose.LIVENESS)
        .filter(purpose -> ContainerProcess.of(container).probe(purpose).isPresent())
        .toList();
  }

  private Optional<ProbeState> standing(Container container, Run run, Purpose purpose) {
    if (!(run.state() instanceof State.Running(Instant started))) {
      return Optional.empty();
    }
    return ContainerProcess.of(container)
        .probe(purpose)
        .map(probe ->
            standings.computeIfAbsent(key(run.id(), purpose), _ -> new ProbeState(probe, started)));
  }

  private static String key(RunId id, Purpose purpose) {
    return id.container() + "/" + id.attempt() + "/" + purpose;
  }

  @Override
  public boolean isStarted(Container container, Run run) {
    return standing(container, run, Purpose.STARTUP).map(each -> each.passes).orElse(true);
  }

  @Override
  public boolean isReady(Container container, Run run) {
    return standing(container, run, Purpose.READINESS).map(each -> each.passes).orElse(true);
  }

  @Override
  public boolean isAlive(Container container, Run run) {
    return failure(container, run).isEmpty();
  }

  @Override
  public Instant deadline(Container container, Run run, PodSpec pod) {
    ProbeState failure = failure(container, run).orElseThrow();
    Duration grace = failure.probe.terminationGrace().orElse(pod.terminationGrace());
    return failure.failed.orElseThrow().plus(grace);
  }

  private Optional<ProbeState> failure(Container container, Run run) {
    return Stream.of(Purpose.STARTUP, Purpose.LIVENESS)
        .flatMap(purpose -> standing(container, run, purpose).stream())
        .filter(standing -> standing.failed.isPresent())
        .findFirst();
  }
}
