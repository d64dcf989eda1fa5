package dev.sluice.benchmarks;

import dev.sluice.engine.admission.AdmissionCycle;
import dev.sluice.engine.admission.Decision;
import dev.sluice.engine.admission.PendingWorkload;
import dev.sluice.engine.admission.PodSetRequest;
import dev.sluice.engine.admission.QueueSnapshot;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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

/** One admission cycle over queues that have room for half of what waits. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AdmissionBenchmark {
  private static final int WORKLOADS_PER_QUEUE = 10;

  @Param({"1", "10", "100"})
  private int queues;

  private QueueSnapshot snapshot = build(1);

  @Setup
  public void build() {
    snapshot = build(queues);
  }

  @Benchmark
  public List<Decision> cycle() {
    return AdmissionCycle.decide(snapshot);
  }

  private static QueueSnapshot build(int queues) {
    var flavors = new TreeMap<String, ResourceFlavor>();
    flavors.put("f", new ResourceFlavor(ApiObject.of(Kinds.RESOURCE_FLAVOR, "", "f")));
    var clusterQueues = new TreeMap<String, ClusterQueue>();
    var localQueues = new TreeMap<String, LocalQueue>();
    var pending = new ArrayList<PendingWorkload>();
    for (int i = 0; i < queues; i++) {
      String name = "q" + i;
      clusterQueues.put(name, clusterQueue(name));
      ApiObject localQueue =
          ApiObject.of(Kinds.LOCAL_QUEUE, "team", name).withSpec(Tree.of("clusterQueue", name));
      localQueues.put("team/" + name, new LocalQueue(localQueue));
      for (int j = 0; j < WORKLOADS_PER_QUEUE; j++) {
        pending.add(workload(name, j));
      }
    }
    return new QueueSnapshot(
        flavors, clusterQueues, localQueues, new TreeMap<>(), List.of(), pending);
  }

  private static ClusterQueue clusterQueue(String name) {
    Tree quota = Tree.of("name", "cpu", "nominalQuota", WORKLOADS_PER_QUEUE / 2);
    Tree flavor = Tree.of("name", "f", "resources", List.of(quota));
    Tree group = Tree.of("coveredResources", List.of("cpu"), "flavors", List.of(flavor));
    Tree spec = Tree.of("namespaceSelector", Tree.EMPTY, "resourceGroups", List.of(group));
    return new ClusterQueue(ApiObject.of(Kinds.CLUSTER_QUEUE, "", name).withSpec(spec));
  }

  private static PendingWorkload workload(String queue, int number) {
    String name = queue + "-" + number;
    var podSet = new PodSetRequest("main", 1, Amounts.of("cpu", 1000), new PodSpec(Tree.EMPTY));
    return new PendingWorkload(
        "team", name, name, queue, 0, Instant.ofEpochSecond(number), List.of(podSet));
  }
}
