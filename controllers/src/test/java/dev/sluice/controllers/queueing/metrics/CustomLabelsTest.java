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

/** The custom labels of metrics. */
final class CustomLabelsTest {
  private static final ObjectKey CLUSTER_QUEUE = Kinds.CLUSTER_QUEUE.key("cq");
  private static final ObjectKey LOCAL_QUEUE = Kinds.LOCAL_QUEUE.key("default", "a");
  private static final String UNTRACKED = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

  private final Loaded loaded =
      ConfigurationFile.read(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          featureGates: {CustomMetricLabels: true, UnadmittedWorkloadsObservability: true}
          fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
          metrics:
            enableClusterQueueResources: true
            customLabels:
            - {name: team}
            - {name: budget, sourceAnnotationKey: acme.io/budget, trackedValues: [small, large]}
            - {name: floor, sourceKind: LocalQueue, sourceLabelKey: acme.io/floor}
            - {name: site, sourceKind: Cohort}
            - {name: type, sourceKind: Workload, trackedValues: [training, inference]}
          """,
          new TreeMap<>());
  private final QueueWorld world = new QueueWorld(loaded.configuration());
  private final QueueMetrics metrics = MetricSamples.metrics(world, loaded);

  private VirtualDriver start() {
    world.clusterQueue("cq", "all", 4).localQueue("default", "a", "cq");
    world.cluster.create(
        Kinds.COHORT,
        Worlds.yaml("{kind: Cohort, metadata: {name: all, labels: {site: north}}, spec: {}}"));
    world.change(CLUSTER_QUEUE, queue -> queue.withLabel("team", "red"));
    world.change(CLUSTER_QUEUE, queue -> queue.withAnnotation("acme.io/budget", "small"));
    world.change(LOCAL_QUEUE, queue -> queue.withLabel("acme.io/floor", "2"));
    world.add(metrics.controller());
    return world.start(metrics, Duration.ofSeconds(1));
  }

  private void pass(VirtualDriver driver) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(5));
  }

  private SortedMap<String, Double> samples() {
    return MetricSamples.of(metrics);
  }

  private void addWorkload(String name, String type) {
    world.workload("default", name, "a", 0, 1);
    if (!type.isEmpty()) {
      world.change(Kinds.WORKLOAD.key("default", name), one -> one.withLabel("type", type));
    }
  }

  @Test
  void seriesHasTheLabelsOfItsObject() {
    VirtualDriver driver = start();
    addWorkload("one", "");
    addWorkload("huge", "");
    world.spec(
        Kinds.WORKLOAD.key("default", "huge"), spec -> spec.with("podSets", ofPods(spec, 9)));
    pass(driver);
    var now = world.cluster.time().now();
    metrics.attempted(now, now, List.of(SkippedWorkload.decision(now)));

    String queue = "custom_budget=small,custom_team=red";
    assertThat(samples()).isNotEmpty();
    for (String sample : samples().keySet()) {
      boolean local = sample.contains("namespace=");
      boolean clusterQueue = !local && sample.contains("cluster_queue=cq");
      boolean cohort = !local && !clusterQueue && sample.contains("cohort=all");
      assertThat(sample.contains("custom_floor=2")).as(sample).isEqualTo(local);
      assertThat(sample.contains(queue)).as(sample).isEqualTo(clusterQueue);
      assertThat(sample.contains("custom_site=north")).as(sample).isEqualTo(cohort);
    }
    assertThat(samples())
        .containsKeys(
            "kueue_admitted_workloads_total{cluster_queue=cq," + queue + ",priority_class=}",
            "kueue_local_queue_admitted_workloads_total{custom_floor=2,name=a,namespace=default"
                + ",priority_class=}",
            "kueue_cohort_weighted_share{cohort=all,custom_site=north}",
            "kueue_admission_attempts_total{result=success}");
  }

  private static List<Tree> ofPods(Tree spec, int count) {
    return List.of(spec.trees("podSets").getFirst().with("count", count));
  }

  @Test
  void seriesWithOldValuesAreRemoved() {
    VirtualDriver driver = start();
    addWorkload("one", "");
    pass(driver);
    assertThat(samples().keySet()).anyMatch(sample -> sample.contains("custom_floor=2"));

    world.change(CLUSTER_QUEUE, queue -> queue.withLabel("team", "blue"));
    world.change(CLUSTER_QUEUE, queue -> queue.withAnnotation("acme.io/budget", "huge"));
    world.change(LOCAL_QUEUE, queue -> queue.withLabel("acme.io/floor", "3"));
    world.change(Kinds.COHORT.key("all"), cohort -> cohort.withLabel("site", "south"));
    addWorkload("two", "");
    pass(driver);

    assertThat(samples().keySet())
        .noneMatch(sample -> sample.matches(".*(=red|=small|_floor=2|=north).*"));
    assertThat(samples())
        .containsEntry(
            "kueue_admitted_workloads_total{cluster_queue=cq,custom_budget=%s,custom_team=blue,priority_class=}"
                .formatted(UNTRACKED),
            1.0)
        .containsEntry(
            "kueue_cohort_subtree_admitted_workloads_total{cohort=all,custom_site=south,priority_class=}",
            1.0);
  }

  @Test
  void missingValueIsEmptyUnlessValuesAreTracked() {
    VirtualDriver driver = start();
    world.clusterQueue("plain", "", 1);
    pass(driver);

    assertThat(samples())
        .containsKey(
            "kueue_reserving_active_workloads{cluster_queue=plain,custom_budget=%s,custom_team=}"
                .formatted(UNTRACKED));
  }

  @Test
  void admittedWorkloadsAreCountedByTheirLabels() {
    VirtualDriver driver = start();
    addWorkload("one", "training");
    addWorkload("two", "training");
    addWorkload("three", "chess");
    addWorkload("four", "");
    pass(driver);

    String active =
        "kueue_admitted_active_workloads{cluster_queue=cq,custom_budget=small,custom_team=red,custom_type=%s}";
    assertThat(samples())
        .containsEntry(active.formatted("training"), 2.0)
        .containsEntry(active.formatted(UNTRACKED), 2.0)
        .doesNotContainKey(active.formatted("chess"))
        .doesNotContainKey(active.formatted("inference"));
    assertThat(samples().keySet())
        .filteredOn(sample -> sample.contains("custom_type"))
        .as("no other series has them")
        .hasSize(2);
  }

  @Test
  void numberOfTenantValuesIsLimited() {
    VirtualDriver driver = start();
    assertThat(floor()).isEqualTo("2");
    for (int i = 0; i < 200; i++) {
      String value = "v" + i;
      world.change(LOCAL_QUEUE, queue -> queue.withLabel("acme.io/floor", value));
      String floor = floor();
      if (i < 99) {
        assertThat(floor).isEqualTo(value);
      } else {
        assertThat(floor).isEqualTo(UNTRACKED);
      }
    }
    world.change(LOCAL_QUEUE, queue -> queue.withLabel("acme.io/floor", "v7"));
    assertThat(floor()).as("those that are known stay known").isEqualTo("v7");
    driver.close();
  }

  private String floor() {
    return samples().keySet().stream()
        .filter(sample -> sample.startsWith("kueue_local_queue_reserving_active_workloads"))
        .map(sample -> sample.replaceAll(".*custom_floor=([^,}]*).*", "$1"))
        .reduce((one, other) -> one + other)
        .orElseThrow();
  }

  @Test
  void longValueIsUntracked() {
    VirtualDriver driver = start();
    world.clusterQueue("long", "", 1);
    pass(driver);
    world.change(
        Kinds.CLUSTER_QUEUE.key("long"), queue -> queue.withLabel("team", "x".repeat(300)));

    assertThat(samples().keySet())
        .noneMatch(sample -> sample.contains("xxx"))
        .anyMatch(sample ->
            sample.contains("cluster_queue=long") && sample.contains("custom_team=" + UNTRACKED));
  }
}
