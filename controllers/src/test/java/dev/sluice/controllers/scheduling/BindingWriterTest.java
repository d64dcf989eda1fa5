package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users are told when a decision cannot be written. */
class BindingWriterTest {
  private final FakeCluster cluster = new FakeCluster(1);

  @Test
  void podWithoutItsVolumeReportsWhy() {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: default}
            spec: {containers: [{name: a}]}
            """));
    var pod = new Pod(cluster.require(Kinds.POD.key("default", "p")));
    var claim = Kinds.PERSISTENT_VOLUME_CLAIM.key("default", "gone");
    var plan = new VolumePlan("n", List.of(new VolumePlan.Take(claim, "v")));
    var writer =
        new BindingWriter(cluster, "mine", new SchedulerMetrics(List.of(), cluster.time()::now));

    boolean written =
        writer.write(new ClusterState().read(pod), new PodDecision.Reserve("n", plan));

    assertThat(written).isFalse();
    PodStatus told = new Pod(cluster.require(pod.key())).status();
    assertThat(told.reason(PodStatus.POD_SCHEDULED)).isEqualTo("SchedulerError");
    assertThat(told.message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "running PreBind plugin \"VolumeBinding\": persistentvolumeclaims \"gone\" not found");
    assertThat(told.nominatedNodeName()).as("room is kept no longer").isEmpty();
    assertThat(reasons(cluster, "p")).containsExactly("FailedScheduling");
  }
}
