package dev.sluice.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.FlavorAssigner;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.flavor.ScanProgress;
import dev.sluice.engine.preemption.Preemption;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.Reservation;
import dev.sluice.model.Amounts;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On random trees the engine finds the flavors that the specification's loop finds. */
class SpelledAssignmentTest {
  private static final int WORKLOADS = 20;

  static LongStream seeds() {
    Long only = Long.getLong("seed");
    return only != null ? LongStream.of(only) : LongStream.range(0, 200);
  }

  private final Ledger ledger = new Ledger();

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theFlavorsAreThoseThatTheLoopFinds(long seed) {
    var random = new SplittableRandom(seed);
    RandomQueues sketches = sketches(random);
    SpelledQuotaTest.Trees trees = SpelledQuotaTest.Trees.random(sketches);
    List<QueueSpec> specs = trees.queues().stream().map(QueueSketch::spec).toList();
    ledger.define(
        specs, trees.cohorts().stream().map(QueueSketch::quotaSpec).toList(), flavors(specs));
    SpelledQuota quota = trees.spelled();
    hold(sketches, random, quota);
    boolean fungible = random.nextInt(3) > 0;
    var rules = new FlavorRules(fungible, false);
    var preemption = new Preemption(ledger, preemption(random));
    var assigner = new FlavorAssigner(ledger, preemption, rules);

    for (int i = 0; i < WORKLOADS; i++) {
      QueueSpec queue = specs.get(random.nextInt(specs.size()));
      PendingWorkload workload = workload(random, queue.name());
      var spelled = new SpelledAssignment(quota, preemption, queue, workload, fungible);

      Assignment first = assigner.assign(workload, workload.podSets(), ScanProgress.NONE);
      assertThat(told(first))
          .as("%s in %s", workload, queue)
          .isEqualTo(spelled.assign(ScanProgress.NONE.tried()));

      Assignment second = assigner.assign(workload, workload.podSets(), first.tried());
      assertThat(told(second)).as("resumed").isEqualTo(spelled.assign(first.tried().tried()));
    }
  }

  private static RandomQueues sketches(SplittableRandom random) {
    var sketches = new RandomQueues(random);
    return random.nextBoolean() ? sketches.inGroups() : sketches;
  }

  private static List<FlavorSpec> flavors(List<QueueSpec> queues) {
    return queues.stream()
        .flatMap(queue -> queue.groups().stream())
        .flatMap(group -> group.flavors().stream())
        .map(flavor -> Scene.plain(flavor.name()))
        .distinct()
        .toList();
  }

  private static PreemptionRules preemption(SplittableRandom random) {
    List<Strategy> strategies = random.nextInt(3) == 0 ? List.of(Strategy.values()) : List.of();
    return new PreemptionRules(
        strategies, true, Duration.ZERO, PreemptionRules.REGARDLESS_OF_USAGE);
  }

  private void hold(RandomQueues sketches, SplittableRandom random, SpelledQuota quota) {
    for (int i = 0; i < random.nextInt(10); i++) {
      String resource = RandomQueues.RESOURCES.get(random.nextInt(2));
      Job job = Job.empty("held" + i, "q" + random.nextInt(5)).priority(random.nextInt(4));
      Reservation held =
          job.pods("main", 1, Amounts.of(resource, random.nextInt(6)))
              .holding(sketches.flavor(sketches.flavor(), resource));
      if (ledger.queue(held.clusterQueue()).isPresent()) {
        ledger.hold(held);
        held.usage()
            .entries()
            .forEach(entry -> quota.use(held.clusterQueue(), entry.getKey(), entry.getValue()));
      }
    }
  }

  private static PendingWorkload workload(SplittableRandom random, String queue) {
    Job job = Job.empty("new", queue).priority(random.nextInt(4)).since(random.nextInt(20));
    for (int podSet = 0; podSet <= random.nextInt(2); podSet++) {
      Amounts each = Amounts.of("gpu", random.nextInt(5));
      each = random.nextBoolean() ? each.plus(Amounts.of("disk", random.nextInt(3))) : each;
      each = random.nextInt(9) == 0 ? each.plus(Amounts.of("tape", 1)) : each;
      job = job.pods("set" + podSet, 1 + random.nextInt(2), each);
    }
    return job.waiting();
  }

  private static SpelledAssignment.Found told(Assignment assignment) {
    var tried = new TreeMap<>(assignment.tried().tried());
    return new SpelledAssignment.Found(
        new SpelledAssignment.Grade(assignment.mode(), assignment.level()),
        assignment.podSets().stream().map(SpelledAssignmentTest::told).toList(),
        assignment.usage().amounts(),
        tried);
  }

  private static String told(Assignment.PodSetFlavors podSet) {
    var flavors = new TreeMap<String, String>();
    podSet
        .choices()
        .forEach((resource, choice) ->
            flavors.put(resource, choice.flavor() + "/" + choice.mode() + "/" + choice.level()));
    return podSet.podSet().name() + " " + flavors;
  }
}
