package dev.sluice.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random changes and decisions, with what must always hold checked after each. A failure names its
 * seed; {@code -Dseed=} runs that one again.
 */
class AdmissionPropertyTest {
  private static final int STEPS = 120;

  static LongStream seeds() {
    return Seeds.first(2000);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(30)
  void invariantsHoldAfterEveryStep(long seed) {
    List<String> first = new Run(seed, false).play();
    List<String> second = new Run(seed, false).play();

    assertThat(second).isEqualTo(first);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(30)
  void invariantsHoldForUncountableAmounts(long seed) {
    new Run(seed, true).play();
  }

  /** One sequence of changes, with all that was reported, to build the same from scratch. */
  private static final class Run {
    private final SplittableRandom random;
    private final RandomQueues sketches;
    private final AdmissionRules rules;
    private final AdmissionQueues queues;
    private final SortedMap<String, PendingWorkload> waiting = new TreeMap<>();
    private final List<String> history = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private List<QueueSpec> specs = List.of();
    private List<QuotaSpec> cohorts = List.of();
    private int jobs;

    Run(long seed, boolean immense) {
      random = new SplittableRandom(seed);
      sketches = immense ? new RandomQueues(random).immense() : new RandomQueues(random);
      rules = rules();
      queues = new AdmissionQueues(rules);
      queues.watch(broken::add);
      queues.namespacesChanged(namespaces());
      define();
    }

    private AdmissionRules rules() {
      List<Strategy> strategies =
          switch (random.nextInt(4)) {
            case 0 -> List.of(Strategy.LESS_THAN_INITIAL_SHARE);
            case 1 -> List.of(Strategy.values());
            default -> List.of();
          };
      return AdmissionScene.with(
          new PreemptionRules(strategies, random.nextBoolean(), Duration.ZERO, (_, _) -> 0),
          random.nextBoolean());
    }

    List<String> play() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3 -> arrive();
          case 4 -> leave();
          case 5, 6 -> release();
          case 7 -> hold();
          case 8 -> decide();
          default -> maybeDefine();
        }
        assertThat(Invariants.violations(queues)).as("step %s of %s", step, history).isEmpty();
        assertSameAsRebuilt();
      }
      decide();
      return history;
    }

    private void arrive() {
      Job job = sketches.job(random.nextInt(5) == 0 && jobs > 0 ? random.nextInt(jobs) : jobs++);
      note("waits " + job.name());
      waiting.put(job.pending().path(), job.pending());
      queues.workloadPending(job.pending());
    }

    private void leave() {
      pick(List.copyOf(waiting.keySet()))
          .forEach(path -> {
            note("leaves " + path);
            waiting.remove(path);
            queues.workloadLeft(path);
          });
    }

    private void release() {
      pick(queues.ledger().reservations().stream().map(held -> held.path()).sorted().toList())
          .forEach(path -> {
            note("ends " + path);
            queues.quotaReleased(path);
          });
    }

    private void hold() {
      Job job = sketches.job(random.nextInt(5) == 0 && jobs > 0 ? random.nextInt(jobs) : jobs++);
      note("holds " + job.name());
      var reservation = job.reservation(sketches.flavor());
      waiting.remove(reservation.path());
      queues.quotaReserved(reservation);
    }

    private void maybeDefine() {
      if (random.nextInt(4) == 0) {
        define();
      }
    }

    private void define() {
      note("define");
      specs = sketches.queues().stream().map(QueueSketch::spec).toList();
      cohorts = sketches.cohorts().stream().map(QueueSketch::quotaSpec).toList();
      define(queues);
    }

    private void define(AdmissionQueues target) {
      target.queuesChanged(
          specs, cohorts, RandomQueues.FLAVORS.stream().map(AdmissionScene::plain).toList());
    }

    private void decide() {
      SortedMap<String, Long> before = Invariants.overdrawn(queues);
      List<AdmissionDecision> decisions = queues.decide(AdmissionScene.NOW, Integer.MAX_VALUE);
      for (AdmissionDecision decision : decisions) {
        note(decision.toString());
        if (decision instanceof AdmissionDecision.Admit admit) {
          waiting.remove(admit.workload().path());
        }
      }
      Invariants.overdrawn(queues)
          .forEach((where, amount) ->
              assertThat(amount).as(where).isLessThanOrEqualTo(before.getOrDefault(where, 0L)));
      assertThat(queues.decide(AdmissionScene.NOW, Integer.MAX_VALUE))
          .as("decided twice after %s", history)
          .isEmpty();
      assertThat(broken).as("after %s", history).isEmpty();
      assertThat(Invariants.overlooked(rebuilt(), AdmissionScene.NOW, Integer.MAX_VALUE))
          .as("after %s", history)
          .isEmpty();
      nobodyIsParkedWhoFits();
    }

    /**
     * What is free but reserved by a head is not for others; they are requeued when the reserve, or
     * the victims of the head, are gone.
     */
    private void nobodyIsParkedWhoFits() {
      for (String path : waiting.keySet()) {
        Explanation why = queues.explain(path).orElseThrow();
        String queue = why.workload().clusterQueue();
        if (why.state() == Explanation.State.INADMISSIBLE && !reservesOrVictimsBeside(queue)) {
          boolean fits =
              why.podSets().stream()
                  .anyMatch(podSet -> podSet.flavors().stream().anyMatch(flavor -> flavor.fits()));
          assertThat(fits).as("%s is inadmissible, after %s", why, history).isFalse();
        }
      }
    }

    private boolean reservesOrVictimsBeside(String queue) {
      String family = family(queue);
      return queues.ledger().reservations().stream()
              .anyMatch(held -> held.evicted() && family(held.clusterQueue()).equals(family))
          || queues.pending().queues().values().stream()
              .filter(pending -> family(pending.spec().name()).equals(family))
              .anyMatch(
                  pending -> pending.index().entries().stream().anyMatch(PendingEntry::reserves));
    }

    private String family(String queue) {
      return queues.ledger().tree().queue(queue).map(QuotaNode::rootName).orElse("");
    }

    /** What was reported, and not in which order, decides how things stand. */
    private void assertSameAsRebuilt() {
      AdmissionQueues other = rebuilt();
      assertThat(numbers(other)).isEqualTo(numbers(queues));
      for (QueueSpec spec : specs) {
        assertThat(other.pendingIn(spec.name())).isEqualTo(queues.pendingIn(spec.name()));
      }
      waiting.keySet().forEach(path -> assertThat(queues.isPending(path)).as(path).isTrue());
    }

    private AdmissionQueues rebuilt() {
      var other = new AdmissionQueues(rules);
      other.namespacesChanged(namespaces());
      define(other);
      queues.ledger().reservations().forEach(other::quotaReserved);
      waiting.values().forEach(other::workloadPending);
      return other;
    }

    private static List<String> numbers(AdmissionQueues flavorResource) {
      return Stream.concat(
              flavorResource.ledger().tree().queues().stream(),
              flavorResource.ledger().tree().cohorts().stream())
          .flatMap(node -> numbers(node))
          .toList();
    }

    private static Stream<String> numbers(QuotaNode node) {
      return RandomQueues.FLAVORS.stream()
          .flatMap(flavor ->
              RandomQueues.RESOURCES.stream().map(resource -> new FlavorResource(flavor, resource)))
          .map(flavorResource ->
              node.path()
                  + " "
                  + flavorResource
                  + " "
                  + node.usage(flavorResource)
                  + " "
                  + node.available(flavorResource));
    }

    private Stream<String> pick(List<String> some) {
      return some.isEmpty() ? Stream.empty() : Stream.of(some.get(random.nextInt(some.size())));
    }

    private void note(String what) {
      history.add(what);
    }

    private static SortedMap<String, SortedMap<String, String>> namespaces() {
      return new TreeMap<>(Map.of("team", new TreeMap<String, String>()));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void boundedDecisionsEqualUnboundedOnes(long seed) {
    var random = new SplittableRandom(seed);
    var sketches = new RandomQueues(random);
    List<QueueSketch> queues = sketches.queues();
    List<QueueSketch> cohorts = sketches.cohorts();
    List<Job> jobs = Stream.iterate(0, i -> i + 1).limit(12).map(sketches::job).toList();

    assertThat(admitted(queues, cohorts, jobs, 1).size())
        .isEqualTo(admitted(queues, cohorts, jobs, Integer.MAX_VALUE).size());
  }

  private static List<String> admitted(
      List<QueueSketch> queues, List<QueueSketch> cohorts, List<Job> jobs, int most) {
    AdmissionScene scene = AdmissionScene.classical().queues(queues.toArray(QueueSketch[]::new));
    scene.cohorts(cohorts.toArray(QueueSketch[]::new)).pending(jobs.toArray(Job[]::new));
    var names = new ArrayList<String>();
    List<AdmissionDecision> some;
    do {
      some = scene.engine.decide(Instant.EPOCH, most);
      some.stream()
          .filter(AdmissionDecision.Admit.class::isInstance)
          .forEach(decision -> names.add(decision.workload().name()));
    } while (!some.isEmpty());
    return names;
  }
}
