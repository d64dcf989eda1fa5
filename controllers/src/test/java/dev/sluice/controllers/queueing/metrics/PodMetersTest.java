package dev.sluice.controllers.queueing.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The gates of pods of elastic jobs, also if pods are not queued themselves. */
final class PodMetersTest {
  private final Loaded loaded =
      ConfigurationFile.read(
          """
          apiVersion: config.kueue.x-k8s.io/v1beta2
          kind: Configuration
          integrations: {frameworks: [batch/job]}
          """,
          new TreeMap<>());
  private final QueueWorld world = new QueueWorld(loaded.configuration());
  private final QueueMetrics metrics = MetricSamples.metrics(world, loaded);

  @Test
  void podOfAScaledUpJobIsTimedFromTheAdmissionOfItsNewSlice() {
    world.clusterQueue("cq", "", 9).localQueue("default", "lq", "cq");
    world.slice("first", 1, "");
    world.add(metrics.controller());
    VirtualDriver driver = world.start(metrics, Duration.ofSeconds(1));
    pass(driver, 100);
    world.slice("second", 2, "default/first");
    pass(driver, 1);
    world.status(
        Kinds.WORKLOAD.key("default", "first"),
        (status, now) -> WorkloadTransitions.finish(status, "WorkloadSliceReplaced", "", now));
    assertThat(world.workload("default", "second").admitted()).isTrue();

    ApiObject pod = gatedPod();
    pass(driver, 3);
    world.cluster.update(
        Kinds.POD, new ApiObject(pod.tree().without(List.of("spec", "schedulingGates"))));
    pass(driver, 1);

    String waited =
        "kueue_pod_scheduling_gate_removal_seconds_bucket"
            + "{cluster_queue=cq,is_group=false,name=kueue.x-k8s.io/elastic-job,le=%s}";
    assertThat(MetricSamples.of(metrics))
        .containsEntry(waited.formatted("2.5"), 0.0)
        .containsEntry(waited.formatted("10.0"), 1.0);
  }

  private void pass(VirtualDriver driver, int seconds) {
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(seconds));
  }

  private ApiObject gatedPod() {
    return world.cluster.create(
        Kinds.POD,
        Worlds.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: new
              namespace: default
              annotations: {kueue.x-k8s.io/workload-slice-name: first}
            spec: {schedulingGates: [{name: kueue.x-k8s.io/elastic-job}]}
            """));
  }
}
