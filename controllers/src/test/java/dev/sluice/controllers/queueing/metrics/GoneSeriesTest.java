package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class GoneSeriesTest {
  private final Loaded loaded =
      ConfigurationFile.read(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          metrics: {localQueueMetrics: {localQueueSelector: {matchExpressions: [
            {key: unmeasured, operator: DoesNotExist}]}}}
          """,
          new TreeMap<>());
  private final QueueWorld world = new QueueWorld(loaded.configuration());
  private final QueueMetrics metrics = MetricSamples.metrics(world, loaded);

  private VirtualDriver start() {
    world.add(metrics.controller());
    return world.start(metrics, Duration.ofSeconds(1));
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(5));
  }

  private SortedMap<String, Double> samples() {
    return MetricSamples.of(metrics);
  }

  @Test
  void deletedQueueLosesItsSeries() {
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq").localQueue("other", "a", "cq");
    world.workload("default", "one", "a", 0, 1).workload("other", "two", "a", 0, 1);
    VirtualDriver driver = start();
    String counter = "kueue_local_queue_admitted_workloads_total{name=a,namespace=%s,%s}";
    assertThat(samples()).containsKey(counter.formatted("default", "priority_class="));

    world.delete(Kinds.LOCAL_QUEUE.key("default", "a"));
    pass(driver);

    assertThat(samples())
        .doesNotContainKey(counter.formatted("default", "priority_class="))
        .containsKey(counter.formatted("other", "priority_class="));
  }

  @Test
  void deletedQueueLosesItsPreemptions() {
    world.clusterQueue("lender", "all", 2).clusterQueue("borrower", "all", 0);
    world.spec(
        Kinds.CLUSTER_QUEUE.key("lender"),
        spec -> spec.with("preemption", Tree.of("reclaimWithinCohort", "Any")));
    world.localQueue("default", "a", "lender").localQueue("other", "b", "borrower");
    world.workload("other", "victim", "b", 0, 2);
    VirtualDriver driver = start();
    world.workload("default", "new", "a", 0, 2);
    pass(driver);
    assertThat(samples()).containsKey(preempted("lender"));

    world.delete(Kinds.CLUSTER_QUEUE.key("lender"));
    pass(driver);

    assertThat(samples()).doesNotContainKey(preempted("lender"));
  }

  private static String preempted(String queue) {
    return "kueue_preempted_workloads_total{preempting_cluster_queue=%s,reason=InCohortReclamation}"
        .formatted(queue);
  }

  @Test
  void deletedQueueLosesItsSkips() {
    world.clusterQueue("cq", "", 2);
    VirtualDriver driver = start();
    var now = world.cluster.time().now();
    metrics.attempted(now, now, List.of(SkippedWorkload.decision(now)));
    String skips = "kueue_admission_cycle_preemption_skips{cluster_queue=cq}";
    assertThat(samples()).containsKey(skips);

    world.delete(Kinds.CLUSTER_QUEUE.key("cq"));
    pass(driver);

    assertThat(samples()).doesNotContainKey(skips);
  }

  @Test
  void implicitCohortLosesItsSeriesWithItsLastQueue() {
    world.clusterQueue("cq", "all", 2).clusterQueue("rich", "all", 1);
    world.localQueue("default", "a", "cq").workload("default", "one", "a", 0, 1);
    VirtualDriver driver = start();
    String below = "kueue_cohort_subtree_admitted_workloads_total{cohort=all,priority_class=}";

    move("rich", "elsewhere");
    pass(driver);
    assertThat(samples()).containsKey(below);

    move("cq", "elsewhere");
    pass(driver);
    assertThat(samples()).doesNotContainKey(below);
  }

  @Test
  void implicitCohortKeepsItsSeriesWhileItHasAChild() {
    world.cluster.create(
        Kinds.COHORT,
        Worlds.yaml("{kind: Cohort, metadata: {name: left}, spec: {parentName: all}}"));
    world.clusterQueue("cq", "left", 2);
    world.localQueue("default", "a", "cq").workload("default", "one", "a", 0, 1);
    VirtualDriver driver = start();
    String below = "kueue_cohort_subtree_admitted_workloads_total{cohort=all,priority_class=}";

    world.delete(Kinds.CLUSTER_QUEUE.key("cq"));
    pass(driver);
    assertThat(samples()).containsKey(below);

    world.delete(Kinds.COHORT.key("left"));
    pass(driver);
    assertThat(samples()).doesNotContainKey(below);
  }

  private void move(String queue, String cohort) {
    world.spec(Kinds.CLUSTER_QUEUE.key(queue), spec -> spec.with("cohortName", cohort));
  }

  @Test
  void unselectedLocalQueueLosesItsSeries() {
    ObjectKey queue = Kinds.LOCAL_QUEUE.key("default", "a");
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    world.workload("default", "one", "a", 0, 1);
    VirtualDriver driver = start();
    assertThat(samples().keySet()).anyMatch(name -> name.contains("name=a,namespace=default"));

    world.change(queue, object -> object.withLabel("unmeasured", ""));
    pass(driver);

    assertThat(samples().keySet()).noneMatch(name -> name.contains("name=a,namespace=default"));
  }
}
