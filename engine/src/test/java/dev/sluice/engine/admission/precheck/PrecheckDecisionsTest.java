package dev.sluice.engine.admission.precheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.RandomQueues;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QuotaReservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What saves work changes no decision: on random trees, the same workloads are admitted and
 * preempted, in the same order, as by queues without prechecks, remembered answers and shortcuts.
 */
class PrecheckDecisionsTest {
  private static final int STEPS = 150;

  static LongStream seeds() {
    return Seeds.first(600);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(30)
  void precheckChangesNoDecision(long seed) {
    new Run(seed).play();
  }

  private static final class Run {
    private final SplittableRandom random;
    private final List<String> flavors;
    private final RandomQueues sketches;
    private final AdmissionQueues prechecking;
    private final AdmissionQueues plain;
    private final boolean oneAtATime;
    private final List<String> history = new ArrayList<>();
    private int jobs;

    Run(long seed) {
      random = new SplittableRandom(seed);
      flavors = random.nextInt(4) == 0 ? RandomQueues.FLAVORS : List.of("f");
      sketches = new RandomQueues(random, flavors);
      if (seed % 2 == 0) {
        sketches.peaceful();
      }
      if (seed % 3 == 0) {
        sketches.crowded();
      }
      oneAtATime = seed % 4 < 2;
      AdmissionRules rules = rules();
      prechecking = new AdmissionQueues(rules);
      plain = AdmissionQueues.withoutPrechecks(rules);
      var namespaces = Map.of("team", new TreeMap<String, String>());
      both(queues -> queues.namespacesChanged(new TreeMap<>(namespaces)));
    }

    private AdmissionRules rules() {
      List<Strategy> strategies = random.nextInt(4) == 0 ? List.of(Strategy.values()) : List.of();
      var preemption =
          new PreemptionRules(strategies, true, Duration.ZERO, PreemptionRules.REGARDLESS_OF_USAGE);
      boolean preemptorsFirst = random.nextBoolean();
      boolean byPriority = random.nextInt(4) > 0;
      boolean ownQuotaFirst = random.nextInt(4) > 0;
      return new AdmissionRules(
          FlavorRules.DEFAULT,
          preemption,
          true,
          false,
          byPriority,
          preemptorsFirst,
          ownQuotaFirst,
          workload -> {},
          Duration.ZERO);
    }

    void play() {
      define();
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3, 4 -> arrive();
          case 5, 6, 7 -> end();
          default -> decide();
        }
        if (random.nextInt(STEPS) == 0) {
          define();
        }
      }
      decide();
    }

    private void both(Consumer<AdmissionQueues> change) {
      change.accept(prechecking);
      change.accept(plain);
    }

    private void define() {
      history.add("define");
      var specs = sketches.queues().stream().map(QueueSketch::spec).toList();
      var cohorts = sketches.cohorts().stream().map(QueueSketch::quotaSpec).toList();
      var known = flavors.stream().map(AdmissionScene::plain).toList();
      both(queues -> queues.queuesChanged(specs, cohorts, known));
    }

    /**
     * Every job has an equivalence key of its own: a workload that joins an inadmissible group is
     * tried when the group is, and that depends on which groups are tried.
     */
    private void arrive() {
      Job job = sketches.job(jobs++);
      PodSetRequest podSet = job.podSets().getFirst();
      PendingWorkload workload =
          Job.empty(job.name(), job.queue())
              .pods(job.name(), podSet.count(), podSet.perPod())
              .priority(job.priority())
              .since(job.since())
              .pending();
      history.add("pending " + workload);
      both(queues -> queues.workloadPending(workload));
    }

    private void end() {
      List<String> held =
          prechecking.ledger().reservations().stream()
              .map(QuotaReservation::path)
              .sorted()
              .toList();
      if (!held.isEmpty()) {
        String path = held.get(random.nextInt(held.size()));
        history.add("ends " + path);
        both(queues -> queues.quotaReleased(path));
        if (oneAtATime) {
          decide();
        }
      }
    }

    private void decide() {
      List<String> decided = decisions(prechecking);
      assertThat(decided).as("after %s", history).isEqualTo(decisions(plain));
      history.addAll(decided);
    }

    private static List<String> decisions(AdmissionQueues queues) {
      return queues.decide(AdmissionScene.NOW, Integer.MAX_VALUE).stream()
          .filter(decision -> !(decision instanceof AdmissionDecision.Pending))
          .map(Run::text)
          .toList();
    }

    /** The decision without the considered flavors: they are those of the time of the search. */
    private static String text(AdmissionDecision decision) {
      return decision instanceof AdmissionDecision.Admit admit
          ? "Admit " + admit.admission() + " " + admit.reservation()
          : decision.toString();
    }
  }
}
