package dev.sluice.controllers.housekeeping;

import static dev.sluice.testkit.Worlds.pass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaleDisruptionsTest {
  private final FakeCluster cluster = new FakeCluster(1);

  private void addPod(String name, String phase, String reason) {
    ApiObject pod = cluster.create(Kinds.POD, ApiObject.of(Kinds.POD, "default", name));
    Pod found = new Pod(pod.withStatus(Tree.of("phase", phase)));
    PodStatus status = new Disruption(reason, "why").of(found, cluster.time().now());
    cluster.patchStatus(Kinds.POD, pod, status.tree());
  }

  private PodStatus status(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name))).status();
  }

  @Test
  void anAnnouncementThatNobodyActsOnIsTakenBack() {
    addPod("spared", "Running", "EvictionByEvictionAPI");
    addPod("over", "Failed", "EvictionByEvictionAPI");
    addPod("kubelet", "Running", "TerminationByKubelet");
    try (var driver = Worlds.driver(cluster, 1, List.of(new StaleDisruptions(cluster)))) {
      pass(driver, cluster, Duration.ofSeconds(119));
      assertThat(status("spared").holds(Disruption.CONDITION)).isTrue();
      pass(driver, cluster, Duration.ofSeconds(2));
    }

    assertThat(status("spared").holds(Disruption.CONDITION)).isFalse();
    assertThat(status("spared").reason(Disruption.CONDITION)).isEmpty();
    assertThat(status("over").holds(Disruption.CONDITION)).isTrue();
    assertThat(status("kubelet").holds(Disruption.CONDITION)).isTrue();
  }
}
