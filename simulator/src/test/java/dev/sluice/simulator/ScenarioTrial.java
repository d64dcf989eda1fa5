package dev.sluice.simulator;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.controllers.queueing.invariants.BreachRecorder;
import dev.sluice.controllers.queueing.invariants.LimitWatch;
import dev.sluice.controllers.queueing.invariants.PersistentBreaches;
import dev.sluice.controllers.queueing.invariants.QueueInvariants;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.simulator.run.RefusedStep;
import dev.sluice.simulator.run.ScenarioRunner;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.testkit.FaultyCluster;
import dev.sluice.testkit.Stopped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A run of a scenario over a bad connection, with controllers that die between any two writes,
 * which looks for violated invariants: some after every single thing that happens, others whenever
 * the connection has been good for a while and at the end.
 */
final class ScenarioTrial implements AutoCloseable {
  private static final List<ResourceKind> RULES = List.of(Kinds.CLUSTER_QUEUE, Kinds.COHORT);
  private static final int PERCENT_OF_FAULTS = 4;
  private static final int LOOKS = 8;
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);
  private static final int MAX_STEPS = 30_000;

  private final VirtualWorld world;
  private final Cluster cluster;
  private final FaultyCluster sight;
  private final SplittableRandom random;
  private final Configuration configuration;
  private final QueueInvariants invariants;
  private final Function<Cluster, List<String>> more;
  private final BreachRecorder witness = new BreachRecorder();
  private LimitWatch limits;
  private QueueCache book;
  private VirtualDriver driver;
  private boolean changed;
  private int steps;

  private ScenarioTrial(
      long seed, Configuration configuration, Function<Cluster, List<String>> more) {
    this.more = more;
    this.random = new SplittableRandom(seed);
    this.configuration = configuration;
    this.world = new VirtualWorld(seed, configuration);
    this.cluster = world.cluster();
    this.sight = new FaultyCluster(cluster, random.split(), 0);
    this.invariants = new QueueInvariants(cluster, configuration);
    this.limits = new LimitWatch(cluster, configuration);
    this.book = new QueueCache(sight, configuration);
    this.driver = world.driver(sight, List.of());
    List.of(Kinds.WORKLOAD, Kinds.CLUSTER_QUEUE, Kinds.COHORT)
        .forEach(kind -> cluster.watch(kind, event -> changed = true));
  }

  /**
   * The first invariant that is violated, or nothing.
   *
   * @throws RefusedStep if the scenario cannot even start
   */
  static Optional<String> failure(Scenario scenario, long seed, Configuration configuration) {
    return failure(scenario, seed, configuration, _ -> List.of());
  }

  /**
   * @param more what else is broken, after every single thing that happens
   */
  static Optional<String> failure(
      Scenario scenario,
      long seed,
      Configuration configuration,
      Function<Cluster, List<String>> more) {
    try (var trial = new ScenarioTrial(seed, configuration, more)) {
      new ScenarioRunner(trial.world).set(scenario);
      trial.play();
      return Optional.empty();
    } catch (Broken broken) {
      return Optional.of(String.valueOf(broken.getMessage()));
    } catch (IllegalStateException | NullPointerException | NoSuchElementException defect) {
      return Optional.of(defect + " at " + List.of(defect.getStackTrace()).getFirst());
    }
  }

  /** A violated invariant. */
  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(String when, List<String> invariants) {
      super(when + ": " + String.join("; ", invariants));
    }
  }

  private void play() {
    start();
    for (int act = 0; act < RandomScenario.ACTS; act++) {
      Instant begin = VirtualWorld.START.plus(RandomScenario.ACT.multipliedBy(act));
      trouble(begin.plus(RandomScenario.TROUBLE));
      sight.heal();
      until(begin.plus(RandomScenario.ACT).minus(BETWEEN_LOOKS.multipliedBy(LOOKS)));
      rest("at rest in act " + act);
    }
    until(VirtualWorld.START.plus(Duration.ofDays(1)));
    rest("at the end");
    theEnd();
  }

  private void start() {
    driver.close();
    book = new QueueCache(sight, configuration);
    book.watch(witness);
    var controllers =
        new ArrayList<Controller>(
            ControllerSet.of(
                ControllerSet.SIMULATED, sight, book, DecisionLog.NONE, configuration));
    controllers.add(new CheckAnswers(sight, random.split()));
    driver = world.driver(sight, controllers);
    driver.start();
  }

  private void trouble(Instant end) {
    sight.setPercent(random.nextInt(2) * PERCENT_OF_FAULTS);
    boolean mortal = random.nextBoolean();
    while (cluster.time().now().isBefore(end)) {
      if (mortal) {
        sight.stopAfterWrites(1 + random.nextInt(60));
      }
      try {
        until(end);
      } catch (Stopped died) {
        start();
      }
    }
  }

  private void until(Instant end) {
    Instant now = cluster.time().now();
    if (now.isBefore(end)) {
      cluster.time().after(Duration.between(now, end), () -> {});
    }
    boolean more = true;
    while (more) {
      try {
        more = driver.step(end);
      } finally {
        look();
      }
      if (++steps > MAX_STEPS) {
        throw new Broken("after " + steps + " steps", List.of("it does not come to an end"));
      }
    }
  }

  private void look() {
    if (!changed) {
      return;
    }
    changed = false;
    breakOn("at an instant", witness.take());
    breakOn("at an instant", more.apply(cluster));
    breakOn("at an instant", invariants.atAnyInstant());
    if (RULES.stream().anyMatch(sight::isSilent)) {
      limits =
          new LimitWatch(
              cluster, configuration); // controllers do not know rules that a watch withholds
    }
    breakOn("at an instant", limits.look());
  }

  private void breakOn(String when, List<String> broken) {
    if (!broken.isEmpty()) {
      throw new Broken(
          when + ", " + Duration.between(VirtualWorld.START, cluster.time().now()), broken);
    }
  }

  private void rest(String when) {
    var lasting = new PersistentBreaches(LOOKS);
    for (int look = 1; look <= LOOKS; look++) {
      var found = new ArrayList<>(invariants.atRest());
      found.addAll(invariants.inMemory(book));
      breakOn(when, lasting.add(found));
      if (look < LOOKS) {
        until(cluster.time().now().plus(BETWEEN_LOOKS));
      }
    }
  }

  /** All jobs are short, so no workload holds quota any more. */
  private void theEnd() {
    breakOn(
        "at the end",
        cluster.list(Kinds.WORKLOAD).stream()
            .map(Workload::new)
            .filter(workload -> !workload.finished() && workload.admission().isPresent())
            .map(workload -> "Workload " + workload.object().path() + " still holds quota")
            .toList());
  }

  @Override
  public void close() {
    driver.close();
    world.close();
  }
}
