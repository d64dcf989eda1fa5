package dev.sluice.engine.admission.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.Seeds;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.RandomQueues;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.QuotaSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On random trees whose queues preempt nothing, the engine admits the same workloads as plain
 * cycles (docs/specification/admission-cycle.md#steps-of-a-cycle), and in the same order among
 * workloads that share quota; both with all its shortcuts and without any.
 */
class ReferenceCyclesTest {
  private static final int JOBS = 14;

  static LongStream seeds() {
    return Seeds.first(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void admissionsEqualThoseOfReferenceCycles(long seed) {
    var random = new SplittableRandom(seed);
    // One flavor: with more, a skipped entry tries all of them again, which in Kueue it does not.
    RandomQueues sketches = new RandomQueues(random, List.of("f")).peaceful();
    ReferenceQuotaTest.Trees trees = ReferenceQuotaTest.Trees.random(sketches);
    List<QueueSpec> specs = trees.queues().stream().map(QueueSketch::spec).toList();
    List<QuotaSpec> cohorts = trees.cohorts().stream().map(QueueSketch::quotaSpec).toList();
    var empty = new QuotaLedger();
    empty.define(specs, cohorts, List.of(AdmissionScene.plain("f")));
    var cycles = new ReferenceCycles(trees.reference(), specs);
    AdmissionRules rules = AdmissionScene.with(PreemptionRules.CLASSICAL, false);
    List<AdmissionQueues> engines =
        List.of(new AdmissionQueues(rules), AdmissionQueues.withoutPrechecks(rules));
    for (AdmissionQueues engine : engines) {
      engine.namespacesChanged(new TreeMap<>(Map.of("team", new TreeMap<>())));
      engine.queuesChanged(specs, cohorts, List.of(AdmissionScene.plain("f")));
    }

    for (PendingWorkload workload : workloads(sketches, empty)) {
      cycles.addPending(workload);
      engines.forEach(engine -> engine.workloadPending(workload));
    }

    Map<String, List<String>> want = byTree(cycles.run(), empty);
    for (AdmissionQueues engine : engines) {
      assertThat(byTree(admitted(engine), empty)).isEqualTo(want);
    }
  }

  /** Each with an equivalence key of its own, since equivalent ones are inadmissible together. */
  private static List<PendingWorkload> workloads(RandomQueues sketches, QuotaLedger known) {
    var workloads = new ArrayList<PendingWorkload>();
    for (int i = 0; i < JOBS; i++) {
      Job job = sketches.job(i);
      PodSetRequest podSet = job.podSets().getFirst();
      if (known.queue(job.queue()).isPresent()) {
        workloads.add(
            Job.empty(job.name(), job.queue())
                .pods(job.name(), podSet.count(), podSet.perPod())
                .priority(job.priority())
                .since(job.since())
                .pending());
      }
    }
    return workloads;
  }

  private static List<PendingWorkload> admitted(AdmissionQueues engine) {
    return engine.decide(AdmissionScene.NOW, Integer.MAX_VALUE).stream()
        .filter(AdmissionDecision.Admit.class::isInstance)
        .map(AdmissionDecision::workload)
        .toList();
  }

  /** Trees that share nothing may be processed in any order. */
  private static Map<String, List<String>> byTree(
      List<PendingWorkload> admitted, QuotaLedger known) {
    var byTree = new TreeMap<String, List<String>>();
    for (PendingWorkload workload : admitted) {
      String root = known.tree().queue(workload.clusterQueue()).orElseThrow().root().path();
      byTree.computeIfAbsent(root, _ -> new ArrayList<>()).add(workload.name());
    }
    return byTree;
  }
}
