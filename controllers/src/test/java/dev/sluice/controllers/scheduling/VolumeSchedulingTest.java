package dev.sluice.controllers.scheduling;

import static dev.sluice.controllers.Worlds.driver;
import static dev.sluice.controllers.Worlds.reasons;
import static dev.sluice.controllers.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.controllers.housekeeping.EphemeralClaims;
import dev.sluice.controllers.housekeeping.VolumeBinder;
import dev.sluice.controllers.housekeeping.VolumeProtection;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.PersistentVolume;
import dev.sluice.model.core.PersistentVolume.Phase;
import dev.sluice.model.core.PersistentVolumeClaim;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodStatus;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims, volumes and pods, with everybody who brings them together. */
@Timeout(60)
class VolumeSchedulingTest {
  private final FakeCluster cluster = new FakeCluster(1);

  private List<Controller> controllers() {
    return List.of(
        new PodScheduler(cluster),
        new VolumeBinder(cluster),
        new VolumeProtection(cluster),
        new EphemeralClaims(cluster));
  }

  private void settle() {
    try (var driver = driver(cluster, 1, controllers())) {
      driver.settle();
    }
  }

  private void node(String name, String zone) {
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {zone: %s}}
            status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}
            """
                .formatted(name, zone)));
  }

  private void storageClass(String name, String provisioner) {
    cluster.create(
        Kinds.STORAGE_CLASS,
        yaml(
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: %s}
            provisioner: %s
            volumeBindingMode: WaitForFirstConsumer
            """
                .formatted(name, provisioner)));
  }

  private void volume(String name, String storageClass, String zone) {
    cluster.create(
        Kinds.PERSISTENT_VOLUME,
        yaml(
            """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: %s, finalizers: [kubernetes.io/pv-protection]}
            spec:
              storageClassName: '%s'
              capacity: {storage: 2Gi}
              accessModes: [ReadWriteOnce]
              persistentVolumeReclaimPolicy: Retain
              nodeAffinity:
                required:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: zone, operator: In, values: [%s]}]
            """
                .formatted(name, storageClass, zone)));
  }

  private void claim(String name, String storageClass) {
    cluster.create(
        Kinds.PERSISTENT_VOLUME_CLAIM,
        yaml(
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              {name: %s, namespace: default, finalizers: [kubernetes.io/pvc-protection]}
            spec:
              storageClassName: '%s'
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """
                .formatted(name, storageClass)));
  }

  private void pod(String name, String volume) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: default-scheduler
              containers: [{name: a}]
              volumes: [{name: v, %s}]
            """
                .formatted(name, volume)));
  }

  private static String uses(String claim) {
    return "persistentVolumeClaim: {claimName: %s}".formatted(claim);
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  private PersistentVolumeClaim claim(String name) {
    return new PersistentVolumeClaim(
        cluster.require(Kinds.PERSISTENT_VOLUME_CLAIM.key("default", name)));
  }

  private PersistentVolume volume(String name) {
    return new PersistentVolume(cluster.require(Kinds.PERSISTENT_VOLUME.key(name)));
  }

  @Test
  void aClaimIsBoundAtOnceAndItsPodFollowsTheVolume() {
    node("a", "east");
    node("b", "west");
    claim("data", "");
    pod("p", uses("data"));
    settle();

    assertThat(claim("data").isBound()).isFalse();
    assertThat(reasons(cluster, "data")).containsExactly("FailedBinding");
    assertThat(pod("p").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.");

    volume("v", "", "west");
    settle();

    assertThat(claim("data").volumeName()).isEqualTo("v");
    assertThat(claim("data").object().status().text("phase")).isEqualTo("Bound");
    assertThat(volume("v").is(Phase.BOUND)).isTrue();
    assertThat(pod("p").nodeName()).isEqualTo("b");
  }

  /** The scheduler and the others may stop after any write. */
  @Test
  void aClaimThatWaitsForItsPodIsBoundWithItWhoeverStopsWhen() {
    for (int writes = 1; writes <= 14; writes++) {
      var test = new VolumeSchedulingTest();
      test.bindTogether(writes);
      assertThat(test.pod("p").nodeName()).as("after %d writes", writes).isEqualTo("b");
      assertThat(test.volume("v").isFor(test.claim("data"))).isTrue();
      assertThat(test.volume("other").is(Phase.AVAILABLE)).isTrue();
    }
  }

  private void bindTogether(int writes) {
    node("a", "east");
    node("b", "west");
    storageClass("local", "kubernetes.io/no-provisioner");
    volume("v", "local", "west");
    volume("other", "elsewhere", "east");
    claim("data", "local");
    settle();
    assertThat(claim("data").isBound()).isFalse();
    pod("p", uses("data"));
    boolean done = false;
    while (!done) {
      cluster.stopAfterWrites(writes);
      try {
        settle();
        done = true;
      } catch (FakeCluster.Stopped died) {
        // the next ones go on
      }
      cluster.neverStop();
    }
  }

  @Test
  void whoMakesVolumesLearnsTheNodeAndThePodWaits() {
    node("a", "east");
    storageClass("made", "example.com/maker");
    claim("data", "made");
    pod("p", uses("data"));
    try (var driver = driver(cluster, 1, controllers())) {
      driver.settle();

      assertThat(claim("data").selectedNode()).isEqualTo("a");
      assertThat(pod("p").isBound()).isFalse();
      assertThat(pod("p").status().nominatedNodeName()).isEqualTo("a");

      ApiObject given =
          claim("data").object().withoutAnnotation(PersistentVolumeClaim.SELECTED_NODE);
      cluster.update(Kinds.PERSISTENT_VOLUME_CLAIM, given);
      driver.settle();
      assertThat(reasons(cluster, "p")).contains("FailedScheduling");

      ApiObject node = cluster.require(Kinds.NODE.key("a"));
      cluster.update(Kinds.NODE, node.withSpec(node.spec().with("unschedulable", true)));
      node("b", "west");
      driver.settle();
      assertThat(claim("data").selectedNode()).isEqualTo("b");

      volume("made-v", "made", "west");
      cluster.update(Kinds.PERSISTENT_VOLUME, volume("made-v").keptFor(claim("data")).object());
      driver.settle();
      assertThat(pod("p").nodeName()).isEqualTo("b");
    }
  }

  @Test
  void twoPodsDoNotGetTheSameVolume() {
    node("a", "west");
    storageClass("local", "kubernetes.io/no-provisioner");
    volume("v1", "local", "west");
    volume("v2", "local", "west");
    claim("x", "local");
    claim("y", "local");
    claim("z", "local");
    pod("px", uses("x"));
    pod("py", uses("y"));
    pod("pz", uses("z"));
    settle();

    assertThat(List.of(claim("x").volumeName(), claim("y").volumeName()))
        .containsExactlyInAnyOrder("v1", "v2");
    assertThat(pod("px").isBound() && pod("py").isBound()).isTrue();
    assertThat(pod("pz").status().message(PodStatus.POD_SCHEDULED))
        .contains("1 node(s) didn't find available persistent volumes to bind");
  }

  @Test
  void aClaimInUseStaysUntilItsPodHasEnded() {
    node("a", "west");
    volume("v", "", "west");
    claim("data", "");
    pod("p", uses("data"));
    settle();
    cluster.delete(Kinds.PERSISTENT_VOLUME_CLAIM, claim("data").object(), Deletion.BACKGROUND);
    cluster.delete(Kinds.PERSISTENT_VOLUME, volume("v").object(), Deletion.BACKGROUND);
    settle();

    assertThat(claim("data").object().isDeleting()).isTrue();

    cluster.delete(Kinds.POD, pod("p").object(), Deletion.NOW);
    settle();
    assertThat(cluster.list(Kinds.PERSISTENT_VOLUME_CLAIM)).isEmpty();
    assertThat(cluster.list(Kinds.PERSISTENT_VOLUME)).isEmpty();
  }

  @Test
  void aVolumeWhoseClaimIsGoneIsReleasedAndAClaimWhoseVolumeIsGoneIsLost() {
    volume("v", "", "west");
    claim("data", "");
    settle();
    cluster.delete(Kinds.PERSISTENT_VOLUME_CLAIM, claim("data").object(), Deletion.BACKGROUND);
    settle();

    assertThat(volume("v").is(Phase.RELEASED)).isTrue();

    volume("w", "", "west");
    claim("other", "");
    settle();
    assertThat(claim("other").volumeName()).isEqualTo("w");
    ApiObject unheld = volume("w").object().withoutFinalizer(PersistentVolume.PROTECTION);
    cluster.delete(
        Kinds.PERSISTENT_VOLUME, cluster.update(Kinds.PERSISTENT_VOLUME, unheld), Deletion.NOW);
    settle();
    assertThat(claim("other").isLost()).isTrue();
    assertThat(reasons(cluster, "other")).contains("ClaimLost");
  }

  @Test
  void aPodGetsTheClaimThatItDescribes() {
    node("a", "west");
    storageClass("local", "kubernetes.io/no-provisioner");
    volume("v", "local", "west");
    pod(
        "p",
        "ephemeral: {volumeClaimTemplate: {metadata: {labels: {of: p}}, spec: {storageClassName:"
            + " local, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}");
    settle();

    assertThat(claim("p-v").object().label("of")).isEqualTo("p");
    assertThat(claim("p-v").object().isOwnedBy(pod("p").object())).isTrue();
    assertThat(pod("p").nodeName()).isEqualTo("a");
  }

  @Test
  void aClaimWithoutAClassGetsTheDefaultOneWhenItComes() {
    claim("data", "");
    cluster.update(
        Kinds.PERSISTENT_VOLUME_CLAIM,
        claim("data").object().without(List.of("spec", "storageClassName")));
    storageClass("late", "example.com/maker");
    ApiObject late = cluster.require(Kinds.STORAGE_CLASS.key("late"));
    cluster.update(
        Kinds.STORAGE_CLASS,
        late.withAnnotation("storageclass.kubernetes.io/is-default-class", "true"));
    settle();

    assertThat(claim("data").storageClassName()).isEqualTo("late");
  }
}
