package dev.sluice.benchmarks;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodNeeds;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Admission decisions of queues whose quota is used up and whose number of pending workloads stays
 * the same: one workload finishes, an equivalent one arrives in its queue, and the engine decides.
 * Queues, quotas and workloads are those of Kueue's performance tests at large scale: 10 cohorts of
 * 100 queues.
 *
 * <p>Something changes in every cohort between two cycles, so each cycle looks at all of them.
 *
 * <p>What is decided for a workload that finishes depends on the pending ones: with few, many
 * queues have no head, and an arriving workload is often admitted at once instead of being pending
 * first. So all decisions are counted, and it is the cost of one of them that may not grow.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 10, time = 1)
@Fork(
    value = 1,
    jvmArgs = { // the collector of 'sluice up', and a fixed heap, or its growth is measured
      "--sun-misc-unsafe-memory-access=allow",
      "-XX:+UseCompactObjectHeaders",
      "-XX:+UseParallelGC",
      "-Xms2g",
      "-Xmx2g",
      "-Xmn1g"
    })
public class AdmissionBenchmark {
  private static final int COHORTS = 10;
  private static final int QUEUES = 1000;
  private static final int AT_ONCE = 500;
  private static final PodNeeds ANY_NODE =
      new PodNeeds(Amounts.NONE, new TreeMap<>(), NodeAffinity.NONE, List.of());

  private static final PreemptionRules FAIR =
      new PreemptionRules(
          List.of(PreemptionRules.Strategy.values()),
          true,
          Duration.ZERO,
          PreemptionRules.REGARDLESS_OF_USAGE);

  /** The number of pending workloads. */
  @Param({"1000", "10000", "100000"})
  private int pending;

  /**
   * The requests of the workloads: all the same, each different, all the same under fair sharing,
   * or, in queues that preempt, small ones of low, medium ones of middle and large ones of high
   * priority.
   */
  @Param({"alike", "distinct", "fair", "preempting"})
  private String mix = "alike";

  /**
   * How many workloads finish, and how many arrive, between two cycles: many in a busy cluster,
   * because the manager writes the decisions of a cycle before the next.
   */
  @Param({"1", "500"})
  private int batch = 1;

  private AdmissionQueues queues = new AdmissionQueues(AdmissionRules.DEFAULT);
  private final LinkedHashMap<String, PendingWorkload> running = new LinkedHashMap<>();
  private int arrived;
  private Instant now = Instant.EPOCH;

  /**
   * The number of decisions of each kind. With preemption there are far more decisions than
   * finished workloads: the quota of victims is taken, and the victims are pending again. A
   * workload that stays pending was nominated as thoroughly as one that is admitted.
   */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Decided {
    public long admissions;
    public long evictions;
    public long waits;
  }

  @Setup
  public void fill() {
    queues =
        new AdmissionQueues(
            new AdmissionRules(
                FlavorRules.DEFAULT,
                mix.equals("fair") ? FAIR : PreemptionRules.CLASSICAL,
                true,
                false,
                true,
                false,
                true,
                workload -> {},
                Duration.ZERO));
    var specs = new ArrayList<QueueSpec>();
    for (int i = 0; i < QUEUES; i++) {
      specs.add(QueueSpec.of(queue("q" + i, "c" + i % COHORTS, mix.equals("preempting")), true));
    }
    var flavor = new FlavorSpec("f", new TreeMap<>(), List.of(), List.of());
    queues.queuesChanged(specs, List.<QuotaSpec>of(), List.of(flavor));
    var labels = new TreeMap<String, SortedMap<String, String>>();
    labels.put("team", new TreeMap<>());
    queues.namespacesChanged(labels);
    for (int i = 0; i < pending + 10 * QUEUES; i++) {
      queues.workloadPending(next("q" + i % QUEUES));
    }
    decide(new Decided());
    turnOver();
    letSoManyWait();
    turnOver();
  }

  /**
   * Lets as many workloads finish and arrive as there are: at first all of them arrived together,
   * and those that come first in the order are soon used up.
   */
  private void turnOver() {
    for (int ended = 0; ended < pending + running.size(); ended += AT_ONCE) {
      endSome(AT_ONCE);
      decide(new Decided());
    }
  }

  /** How many workloads are admitted, and so how many are pending, depends on their size. */
  private void letSoManyWait() {
    for (int i = waiting(); i < pending; i++) {
      queues.workloadPending(next("q" + i % QUEUES));
    }
    while (waiting() > pending) {
      int surplus = Math.min(waiting() - pending, AT_ONCE);
      for (int i = 0; i < surplus; i++) {
        queues.quotaReleased(running.pollFirstEntry().getValue().path());
      }
      decide(new Decided());
    }
  }

  private int waiting() {
    int waiting = 0;
    for (int i = 0; i < QUEUES; i++) {
      waiting += queues.lengths().of("q" + i).pending();
    }
    return waiting;
  }

  /** Some workloads finish, as many arrive, and cycles run until nothing is left to decide. */
  @Benchmark
  public long decisions(Decided decided) {
    endSome(batch);
    decide(decided);
    return decided.admissions;
  }

  private void endSome(int many) {
    for (int i = 0; i < many; i++) {
      PendingWorkload ends = running.pollFirstEntry().getValue();
      queues.quotaReleased(ends.path());
      queues.workloadPending(next(ends.clusterQueue()));
    }
  }

  private void decide(Decided decided) {
    boolean again = true;
    while (again) {
      again = false;
      now = now.plusNanos(1);
      for (AdmissionDecision decision : queues.decide(now, Integer.MAX_VALUE)) {
        switch (decision) {
          case AdmissionDecision.Admit admit -> {
            running.put(admit.workload().path(), admit.workload());
            decided.admissions++;
          }
          case AdmissionDecision.Preempt preempt -> {
            preempt.victims().forEach(this::evict);
            decided.evictions += preempt.victims().size();
            again = true;
          }
          case AdmissionDecision.Pending wait -> decided.waits++;
        }
      }
    }
  }

  private void evict(Target target) {
    running.remove(target.victim().path());
    queues.quotaReleased(target.victim().path());
    queues.workloadPending(next(target.victim().clusterQueue()));
  }

  private PendingWorkload next(String queue) {
    int number = arrived++;
    int kind = (number + number / QUEUES) % 10; // mixed, and in turn in every queue
    long priority = !mix.equals("preempting") ? 0 : kind < 7 ? 50 : kind < 9 ? 100 : 200;
    long cpus = !mix.equals("preempting") ? 2 : kind < 7 ? 1 : kind < 9 ? 5 : 20;
    long extra = mix.equals("distinct") ? number % 997 : 0;
    var podSet =
        new PodSetRequest("main", 1, 1, Amounts.of("cpu", cpus * 1000 + extra), ANY_NODE, "");
    String name = "w" + number;
    return new PendingWorkload(
        new WorkloadIdentity("team", name, name),
        "",
        new QueueNames("lq", queue),
        new Precedence(priority, Instant.ofEpochSecond(number)),
        List.of(podSet),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        true);
  }

  private static ClusterQueue queue(String name, String cohort, boolean preempts) {
    Tree quota = Tree.of("name", "cpu", "nominalQuota", 20, "borrowingLimit", 100);
    Tree flavor = Tree.of("name", "f", "resources", List.of(quota));
    Tree group = Tree.of("coveredResources", List.of("cpu"), "flavors", List.of(flavor));
    Tree spec =
        Tree.of(
            "cohortName",
            cohort,
            "namespaceSelector",
            Tree.EMPTY,
            "resourceGroups",
            List.of(group));
    if (preempts) {
      spec =
          spec.with(
              "preemption",
              Tree.of("reclaimWithinCohort", "Any", "withinClusterQueue", "LowerPriority"));
    }
    return new ClusterQueue(ApiObject.of(Kinds.CLUSTER_QUEUE, "", name).withSpec(spec));
  }
}
