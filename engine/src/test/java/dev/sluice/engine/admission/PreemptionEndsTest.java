package dev.sluice.engine.admission;

import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaReservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Preemption ends: where no workload comes or goes, and every victim is pending again, decisions
 * come to an end after a bounded number of steps. Two workloads that preempt each other in turn
 * would go on forever.
 *
 * <p>That holds because preemptors are processed first, else the victim may be admitted again
 * before its preemptor, over and over; and because of {@link
 * dev.sluice.engine.queue.PreemptionHistory}, where three have a right to each other's place.
 */
class PreemptionEndsTest {
  private static final List<String> ONE = List.of("f");
  private static final List<Strategy> BY_PRIORITY = List.of();
  private static final List<Strategy> BY_SHARES = List.of(Strategy.values());
  private static final int JOBS = 25;
  private static final int MAX_STEPS = 4 * JOBS;

  record Case(String name, List<Strategy> strategies, List<String> flavors, boolean flat) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("flat, by priority", BY_PRIORITY, ONE, true),
          new Case("flat, by shares", BY_SHARES, ONE, true),
          new Case("trees, by priority", BY_PRIORITY, ONE, false),
          new Case("trees, by shares", BY_SHARES, ONE, false),
          new Case("flavors, by shares", BY_SHARES, RandomQueues.FLAVORS, false),
          new Case("flavors, by priority", BY_PRIORITY, RandomQueues.FLAVORS, false));

  @ParameterizedTest
  @FieldSource("CASES")
  @Timeout(60)
  void preemptionEnds(Case c) {
    List<String> endless =
        Seeds.first(2000)
            .mapToObj(seed -> endless(c, seed).map(why -> "seed " + seed + ": " + why))
            .flatMap(Optional::stream)
            .toList();

    assertThat(endless).isEmpty();
  }

  /**
   * No victim gets back what it had while its preemptor is still pending: else it has lost its work
   * for nothing.
   */
  @ParameterizedTest
  @FieldSource("CASES")
  @Timeout(60)
  void victimsMakeRoomForTheirPreemptor(Case c) {
    List<String> inVain =
        Seeds.first(2000)
            .mapToObj(seed -> new World(c, seed).play(seed))
            .flatMap(world -> world.inVain.stream())
            .toList();

    assertThat(inVain).isEmpty();
  }

  /** The last preemptions, if there is no end of them. */
  private static Optional<String> endless(Case c, long seed) {
    World world = new World(c, seed).play(seed);
    return world.ends
        ? Optional.empty()
        : Optional.of(world.preemptions.reversed().subList(0, 4).toString());
  }

  /** Random queues, to which workloads come one after the other. */
  private static final class World {
    private final RandomQueues sketches;
    private final AdmissionQueues queues;
    private final SortedMap<String, PendingWorkload> waiting = new TreeMap<>();
    private final Map<String, Set<QuotaReservation>> preempted = new TreeMap<>();
    private final List<String> preemptions = new ArrayList<>();
    private final List<String> inVain = new ArrayList<>();
    private boolean ends = true;

    World(Case c, long seed) {
      var random = new SplittableRandom(seed);
      sketches = new RandomQueues(random, c.flavors);
      queues = queues(c, c.flat ? sketches.crowded() : sketches, random);
    }

    World play(long seed) {
      for (int number = 0; number < JOBS && ends; number++) {
        PendingWorkload job = sketches.job(number).pending();
        waiting.put(job.path(), job);
        queues.workloadPending(job);
        int steps = 0;
        while (ends && step(seed)) {
          ends = ++steps < MAX_STEPS;
        }
      }
      return this;
    }

    /** Victims are pending again at once; returns whether there were any. */
    private boolean step(long seed) {
      var victims = new ArrayList<String>();
      for (AdmissionDecision decision : queues.decide(AdmissionScene.NOW, Integer.MAX_VALUE)) {
        switch (decision) {
          case AdmissionDecision.Admit admit -> {
            preempted.remove(admit.workload().path());
            noteInVain(seed, admit.reservation());
          }
          case AdmissionDecision.Preempt preempt -> {
            preemptions.add(PreemptionEndsTest.text(preempt));
            preempt
                .victims()
                .forEach(target -> {
                  victims.add(target.victim().path());
                  preempted
                      .computeIfAbsent(preempt.workload().path(), _ -> new LinkedHashSet<>())
                      .add(target.victim());
                });
          }
          case AdmissionDecision.Pending _ -> {}
        }
      }
      victims.forEach(path -> queues.workloadPending(Objects.requireNonNull(waiting.get(path))));
      return !victims.isEmpty();
    }

    private void noteInVain(long seed, QuotaReservation admitted) {
      preempted.forEach((preemptor, victims) ->
          victims.stream()
              .filter(victim -> victim.path().equals(admitted.path()))
              .filter(victim -> victim.usage().touches(admitted.usage().amounts().keySet()))
              .filter(victim -> queues.isPending(preemptor))
              .forEach(victim ->
                  inVain.add("seed %d: %s to %s".formatted(seed, victim.path(), preemptor))));
    }
  }

  private static AdmissionQueues queues(Case c, RandomQueues sketches, SplittableRandom random) {
    var preemption = new PreemptionRules(c.strategies, true, Duration.ZERO, (_, _) -> 0);
    var queues = new AdmissionQueues(AdmissionScene.with(preemption, true));
    queues.namespacesChanged(new TreeMap<>(Map.of("team", new TreeMap<>())));
    queues.queuesChanged(
        sketches.queues().stream().map(queue -> allowed(queue, random).spec()).toList(),
        sketches.cohorts().stream().map(QueueSketch::quotaSpec).toList(),
        c.flavors.stream().map(AdmissionScene::plain).toList());
    return queues;
  }

  /** With policies that a ClusterQueue can have. */
  private static QueueSketch allowed(QueueSketch queue, SplittableRandom random) {
    return queue
        .within(
            List.of(NEVER, LOWER_PRIORITY, LOWER_OR_NEWER_EQUAL_PRIORITY).get(random.nextInt(3)))
        .reclaims(List.of(NEVER, LOWER_PRIORITY, ANY).get(random.nextInt(3)));
  }

  private static String text(AdmissionDecision.Preempt preempt) {
    return preempt.workload().name()
        + " evicts "
        + preempt.victims().stream()
            .map(target -> target.victim().name() + " " + target.cause().word())
            .toList();
  }
}
