package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.setPhase;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods get nodes, or are told why not and wait for what may help them. */
@Timeout(30)
class PodSchedulerTest {
  private final SchedulerScene scene = new SchedulerScene();

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void bindsPodsToTheNodesThatAreLeastUsed() {
    scene.addNode("a", 4);
    scene.addNode("b", 4);
    scene.addPod("p", 1);
    scene.addPod("q", 1);
    scene.addPod("r", 3);
    scene.settle();

    assertThat(scene.pod("p").nodeName()).isEqualTo("a");
    assertThat(scene.pod("q").nodeName()).isEqualTo("b");
    assertThat(scene.pod("r").nodeName()).isEqualTo("a");
    assertThat(reasons(scene.cluster, "p")).containsExactly("Scheduled");
  }

  @Test
  void aPodWithoutRoomIsToldWhyOnceAndBoundWhenANodeComes() {
    scene.addNode("a", 1);
    scene.addPod("p", 2);
    scene.settle();

    PodStatus status = scene.pod("p").status();
    assertThat(status.holds(PodStatus.POD_SCHEDULED)).isFalse();
    assertThat(status.reason(PodStatus.POD_SCHEDULED)).isEqualTo("Unschedulable");
    assertThat(status.message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption:"
                + " 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
    assertThat(reasons(scene.cluster, "p")).containsExactly("FailedScheduling");

    scene.addNode("b", 2);
    scene.settle();

    assertThat(scene.pod("p").nodeName()).isEqualTo("b");
    assertThat(reasons(scene.cluster, "p")).containsExactly("FailedScheduling", "Scheduled");
  }

  @Test
  void aNodeThatLosesItsTaintWakesWaitingPods() {
    scene.addNode("a", 4);
    Node node = new Node(scene.cluster.require(Kinds.NODE.key("a")));
    var taint = new Taint("k", "v", Taint.NO_SCHEDULE);
    scene.cluster.update(Kinds.NODE, node.withTaints(List.of(taint)).object());
    scene.addPod("p", 1);
    scene.settle();
    assertThat(scene.pod("p").status().message(PodStatus.POD_SCHEDULED))
        .contains("1 node(s) had untolerated taint");

    Node tainted = new Node(scene.cluster.require(Kinds.NODE.key("a")));
    scene.cluster.update(Kinds.NODE, tainted.withTaints(List.of()).object());
    scene.settle();

    assertThat(scene.pod("p").isBound()).isTrue();
  }

  @Test
  void gatedPodsAndThoseOfOtherSchedulersAreLeftAlone() {
    scene.addNode("a", 4);
    scene.addPod("gated", 1, Tree.of("schedulingGates", List.of(Tree.of("name", "g"))));
    scene.addPod("other", 1, Tree.of("schedulerName", "volcano"));
    scene.addPod("ours", 1, Tree.of("schedulerName", "sluice"));
    scene.settle();

    assertThat(scene.pod("gated").isBound()).isFalse();
    assertThat(scene.pod("gated").status().message(PodStatus.POD_SCHEDULED)).isEmpty();
    assertThat(scene.pod("other").isBound()).isFalse();
    assertThat(scene.pod("ours").isBound()).isTrue();

    ApiObject gated = scene.pod("gated").object();
    scene.cluster.update(Kinds.POD, gated.withSpec(gated.spec().without("schedulingGates")));
    scene.settle();

    assertThat(scene.pod("gated").isBound()).isTrue();
  }

  @Test
  void unsupportedFieldIsReported() {
    scene.addNode("a", 4);
    Tree claim = Tree.of("name", "gpu", "resourceClaimName", "shared-gpu");
    scene.addPod("device", 1, Tree.of("resourceClaims", List.of(claim)));
    scene.settle();

    assertThat(scene.pod("device").status().message(PodStatus.POD_SCHEDULED))
        .contains("gpu (ResourceClaim shared-gpu)")
        .contains("without spec.resourceClaims, or with another scheduler in spec.schedulerName");
  }

  @Test
  void aSchedulerBesideOthersTakesOnlyThePodsThatNameIt() {
    scene.startAnew(new PodScheduler(scene.cluster, "mine"));
    scene.addNode("a", 4);
    scene.addPod("usual", 1);
    scene.addPod("ours", 1, Tree.of("schedulerName", "mine"));
    scene.settle();

    assertThat(scene.pod("usual").isBound()).isFalse();
    assertThat(scene.pod("ours").isBound()).isTrue();
  }

  @Test
  void manyPodsThatWaitAlikeCostOneAttemptForEachRoomThatIsFreed() {
    scene.addNode("a", 2);
    for (int i = 0; i < 50; i++) {
      scene.addPod("p" + i, 1);
    }
    scene.settle();
    long before = scene.cluster.writes();
    setPhase(scene.cluster, scene.pod("p0"), Pod.Phase.SUCCEEDED);
    scene.settle();

    assertThat(scene.pod("p2").isBound()).isTrue();
    assertThat(scene.pod("p3").isBound()).isFalse();
    // the phase, the binding, its event, and nothing about those that still wait
    assertThat(scene.cluster.writes() - before).isEqualTo(3);
  }

  @Test
  void aSchedulerThatStartsAnewKnowsWhatIsTaken() {
    scene.addNode("a", 2);
    scene.addPod("p", 2);
    scene.settle();
    scene.startAnew(new PodScheduler(scene.cluster));
    scene.addPod("q", 1);
    scene.settle();

    assertThat(scene.pod("q").isBound()).isFalse();
  }

  @Test
  void podsOfNodesThatAreNotKnownYetCountOnceTheyAre() {
    ApiObject pod =
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: early, namespace: default}
            spec:
              nodeName: a
              containers: [{name: a, resources: {requests: {cpu: 2}}}]
            """);
    scene.cluster.create(Kinds.POD, pod);
    scene.settle();
    scene.addNode("a", 2);
    scene.addPod("p", 1);
    scene.settle();

    assertThat(scene.pod("p").isBound()).isFalse();
  }
}
