package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Metrics that exist only if the configuration enables them. */
final class OptionalMetricsTest {
  private static final String WITH_ALL =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      integrations: {frameworks: [batch/job]}
      featureGates: {UnadmittedWorkloadsObservability: true}
      admissionFairSharing: {usageHalfLifeTime: 10m, usageSamplingInterval: 5m}
      """;
  private static final String WITH_NONE =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      integrations: {frameworks: [batch/job]}
      """;

  /**
   * Metrics of a queue of two cpus with a past usage of eight and weight two, and a workload of
   * three.
   */
  private static String metricsWith(String file) {
    Loaded loaded = ConfigurationFile.read(file, new TreeMap<>());
    var world = new QueueWorld(loaded.configuration());
    var metrics =
        new QueueMetrics(
            world.cluster,
            world.cache,
            loaded.configuration(),
            loaded.manager().metrics(),
            () -> "leader",
            "1.2.3");
    world.add(metrics.controller());
    world.clusterQueue("cq", "", 2).localQueue("default", "a", "cq");
    var queue = world.cluster.require(Kinds.LOCAL_QUEUE.key("default", "a"));
    queue =
        world.cluster.update(
            Kinds.LOCAL_QUEUE, queue.withSpec(queue.spec().with("fairSharing", weight("2"))));
    world.cluster.patchStatus(
        Kinds.LOCAL_QUEUE,
        queue,
        Yaml.parseAll(
                """
                fairSharing:
                  weightedShare: 0
                  admissionFairSharingStatus:
                    consumedResources: {cpu: "8"}
                    lastUpdate: "2026-01-01T00:00:00Z"
                """)
            .getFirst()
            .asTree());
    world.workload("default", "large", "a", 0, 3);
    world.start(metrics, Duration.ofSeconds(2));
    return metrics.text();
  }

  private static Tree weight(String weight) {
    return Tree.of("weight", weight);
  }

  @Test
  void enabledMetricsHaveReasonsAndUsage() {
    assertThat(metricsWith(WITH_ALL))
        .contains(
            "kueue_unadmitted_workloads{cluster_queue=\"cq\",reason=\"NoReservation\"",
            "kueue_local_queue_unadmitted_workloads{cluster_queue=\"cq\",name=\"a\"",
            "kueue_local_queue_admission_fair_sharing_usage{cluster_queue=\"cq\",name=\"a\"")
        .containsPattern("local_queue_admission_fair_sharing_usage\\{.*} 4\\.0\n");
  }

  @Test
  void disabledMetricsAreMissing() {
    assertThat(metricsWith(WITH_NONE))
        .contains("kueue_pending_workloads")
        .doesNotContain("unadmitted_workloads", "fair_sharing_usage");
  }
}
