package dev.sluice.controllers.scheduling;

import static dev.sluice.controllers.scheduling.StorageScene.uses;
import static dev.sluice.testkit.Worlds.reasons;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.core.storage.PersistentVolume.Phase;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.testkit.Stopped;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods get nodes where their volumes are, or can be. */
@Timeout(60)
class VolumeSchedulingTest {
  private final StorageScene scene = new StorageScene();

  @Test
  void aClaimIsBoundAtOnceAndItsPodFollowsTheVolume() {
    scene.node("a", "east");
    scene.node("b", "west");
    scene.claim("data", "");
    scene.pod("p", uses("data"));
    scene.settle();

    assertThat(scene.claim("data").isBound()).isFalse();
    assertThat(reasons(scene.cluster, "data")).containsExactly("FailedBinding");
    assertThat(scene.pod("p").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.");

    scene.volume("v", "", "west");
    scene.settle();

    assertThat(scene.claim("data").volumeName()).isEqualTo("v");
    assertThat(scene.claim("data").object().status().text("phase")).isEqualTo("Bound");
    assertThat(scene.volume("v").is(Phase.BOUND)).isTrue();
    assertThat(scene.pod("p").nodeName()).isEqualTo("b");
  }

  /** The scheduler and the others may stop after any write. */
  @Test
  void aClaimThatWaitsForItsPodIsBoundWithItWhoeverStopsWhen() {
    for (int writes = 1; writes <= 14; writes++) {
      var scene = new StorageScene();
      bindTogether(scene, writes);
      assertThat(scene.pod("p").nodeName()).as("after %d writes", writes).isEqualTo("b");
      assertThat(scene.volume("v").isFor(scene.claim("data"))).isTrue();
      assertThat(scene.volume("other").is(Phase.AVAILABLE)).isTrue();
    }
  }

  private static void bindTogether(StorageScene scene, int writes) {
    scene.node("a", "east");
    scene.node("b", "west");
    scene.storageClass("local", "kubernetes.io/no-provisioner");
    scene.volume("v", "local", "west");
    scene.volume("other", "elsewhere", "east");
    scene.claim("data", "local");
    scene.settle();
    assertThat(scene.claim("data").isBound()).isFalse();
    scene.pod("p", uses("data"));
    boolean done = false;
    while (!done) {
      scene.cluster.stopAfterWrites(writes);
      try {
        scene.settle();
        done = true;
      } catch (Stopped died) {
        // the next ones go on
      }
      scene.cluster.neverStop();
    }
  }

  @Test
  void provisionerLearnsTheNodeWhileThePodWaits() {
    scene.node("a", "east");
    scene.storageClass("made", "example.com/maker");
    scene.claim("data", "made");
    scene.pod("p", uses("data"));
    try (var driver = scene.start()) {
      driver.settle();

      assertThat(scene.claim("data").selectedNode()).isEqualTo("a");
      assertThat(scene.pod("p").isBound()).isFalse();
      assertThat(scene.pod("p").status().nominatedNodeName()).isEqualTo("a");

      ApiObject given =
          scene.claim("data").object().withoutAnnotation(PersistentVolumeClaim.SELECTED_NODE);
      scene.cluster.update(Kinds.PERSISTENT_VOLUME_CLAIM, given);
      driver.settle();
      assertThat(reasons(scene.cluster, "p")).contains("FailedScheduling");

      ApiObject node = scene.cluster.require(Kinds.NODE.key("a"));
      scene.cluster.update(Kinds.NODE, node.withSpec(node.spec().with("unschedulable", true)));
      scene.node("b", "west");
      driver.settle();
      assertThat(scene.claim("data").selectedNode()).isEqualTo("b");

      scene.volume("made-v", "made", "west");
      scene.cluster.update(
          Kinds.PERSISTENT_VOLUME, scene.volume("made-v").keptFor(scene.claim("data")).object());
      driver.settle();
      assertThat(scene.pod("p").nodeName()).isEqualTo("b");
    }
  }

  @Test
  void twoPodsDoNotGetTheSameVolume() {
    scene.node("a", "west");
    scene.storageClass("local", "kubernetes.io/no-provisioner");
    scene.volume("v1", "local", "west");
    scene.volume("v2", "local", "west");
    scene.claim("x", "local");
    scene.claim("y", "local");
    scene.claim("z", "local");
    scene.pod("px", uses("x"));
    scene.pod("py", uses("y"));
    scene.pod("pz", uses("z"));
    scene.settle();

    assertThat(List.of(scene.claim("x").volumeName(), scene.claim("y").volumeName()))
        .containsExactlyInAnyOrder("v1", "v2");
    assertThat(scene.pod("px").isBound() && scene.pod("py").isBound()).isTrue();
    assertThat(scene.pod("pz").status().message(PodStatus.POD_SCHEDULED))
        .contains("1 node(s) didn't find available persistent volumes to bind");
  }

  @Test
  void aPodGetsTheClaimThatItDescribes() {
    scene.node("a", "west");
    scene.storageClass("local", "kubernetes.io/no-provisioner");
    scene.volume("v", "local", "west");
    scene.pod(
        "p",
        "ephemeral: {volumeClaimTemplate: {metadata: {labels: {of: p}}, spec: {storageClassName:"
            + " local, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}");
    scene.settle();

    assertThat(scene.claim("p-v").object().label("of")).isEqualTo("p");
    assertThat(scene.claim("p-v").object().isOwnedBy(scene.pod("p").object())).isTrue();
    assertThat(scene.pod("p").nodeName()).isEqualTo("a");
  }
}
