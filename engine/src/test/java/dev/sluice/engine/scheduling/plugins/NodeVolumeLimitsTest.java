package dev.sluice.engine.scheduling.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.model.Kinds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What drivers of volumes can do on a node: attach so many, and make so large ones. */
class NodeVolumeLimitsTest {
  private static final String FULL =
      "0/1 nodes are available: 1 node(s) exceed max volume count. no new claims to deallocate,"
          + " preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
  private final SchedulingScene scene = new SchedulingScene();

  @BeforeEach
  void aNodeForTwoVolumes() {
    scene.node("n", "cpu: 10", "zone: z", "");
    limit(2);
    scene.storageClass("fast", "disk.example.com", "");
    for (String name : new String[] {"a", "b", "c"}) {
      scene.volume(
          name, "", "csi: {driver: disk.example.com, volumeHandle: id-%s}".formatted(name));
      scene.boundClaim(name, name, "");
    }
  }

  private void limit(int count) {
    scene.driverSays(
        Kinds.CSI_NODE,
        "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: n}, spec: {drivers:"
            + " [{name: disk.example.com, allocatable: {count: %d}}, {name: free.example.com}]}}"
                .formatted(count));
  }

  private void attach(String volume) {
    scene.driverSays(
        Kinds.VOLUME_ATTACHMENT,
        "{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: at-%s}, spec:"
                .formatted(volume)
            + " {nodeName: n, source: {persistentVolumeName: %s}}}".formatted(volume));
  }

  @Test
  void aNodeTakesNoMoreVolumesThanItsDriverCanAttach() {
    assertThat(scene.place(scene.podWith("p", "a", "b"))).isEqualTo("n");
    assertThat(scene.place(scene.podWith("q", "c"))).isEqualTo(FULL);
  }

  @Test
  void aVolumeThatPodsShareIsAttachedOnce() {
    scene.place(scene.podWith("p", "a", "b"));

    assertThat(scene.place(scene.podWith("q", "b", "a"))).isEqualTo("n");
  }

  @Test
  void aVolumeThatWillBeMadeCountsToo() {
    scene.place(scene.podWith("p", "a", "b"));
    scene.claim("new", "", "storageClassName: fast, resources: {requests: {storage: 1Gi}}");

    assertThat(scene.place(scene.podWith("q", "new"))).isEqualTo(FULL);
  }

  @Test
  void aVolumeIsThereUntilItIsDetached() {
    attach("a");
    attach("b");
    assertThat(scene.place(scene.podWith("p", "c"))).isEqualTo(FULL);
    assertThat(scene.place(scene.podWith("q", "a"))).isEqualTo("n");

    scene.state.volumes().drivers().remove(Kinds.VOLUME_ATTACHMENT.key("at-b"));
    assertThat(scene.place(scene.podWith("p", "c"))).isEqualTo("n");
  }

  @Test
  void driversWithoutALimitAttachAnyNumber() {
    scene.volume("x", "", "csi: {driver: free.example.com, volumeHandle: x}");
    scene.volume("y", "", "csi: {driver: unknown.example.com, volumeHandle: y}");
    scene.boundClaim("x", "x", "");
    scene.boundClaim("y", "y", "");
    limit(0);

    assertThat(scene.place(scene.podWith("p", "x", "y"))).isEqualTo("n");
    scene.state.volumes().drivers().remove(Kinds.CSI_NODE.key("n"));
    assertThat(scene.place(scene.podWith("q", "a", "b", "c"))).isEqualTo("n");
  }

  @Test
  void lessImportantPodsLeaveTheirVolumes() {
    limit(1);
    scene.place(scene.podWith("low", "a"));
    PodFacts high =
        scene.pod(
            "high", "", "priority: 5, volumes: [{name: v, persistentVolumeClaim: {claimName: b}}]");

    assertThat(scene.place(high)).isEqualTo("after [low] on n");
  }

  private void capacity(String topology, String amount) {
    scene.driverSays(
        Kinds.CSI_STORAGE_CAPACITY,
        "{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: c, namespace:"
            + " x}, storageClassName: fast, %s %s}".formatted(topology, amount));
  }

  @Test
  void aVolumeIsMadeOnlyWhereItsDriverSaysThatThereIsRoom() {
    String full =
        "0/1 nodes are available: 1 node(s) did not have enough free storage. no new claims to"
            + " deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for"
            + " scheduling.";
    scene.claim("new", "", "storageClassName: fast, resources: {requests: {storage: 10Gi}}");
    PodFacts pod = scene.podWith("p", "new");
    assertThat(scene.place(pod)).as("nobody can tell").isEqualTo("n");
    scene.state.take(pod.key());

    scene.driverSays(
        Kinds.CSI_DRIVER,
        "{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: disk.example.com},"
            + " spec: {storageCapacity: true}}");
    assertThat(scene.place(pod)).as("nothing is told").isEqualTo(full);
    capacity("nodeTopology: {matchLabels: {zone: other}},", "capacity: 20Gi");
    assertThat(scene.place(pod)).as("elsewhere").isEqualTo(full);
    capacity("", "capacity: 20Gi");
    assertThat(scene.place(pod)).as("nowhere").isEqualTo(full);
    capacity("nodeTopology: {matchLabels: {zone: z}},", "capacity: 9Gi");
    assertThat(scene.place(pod)).as("too little").isEqualTo(full);
    capacity("nodeTopology: {matchLabels: {zone: z}},", "capacity: 20Gi, maximumVolumeSize: 5Gi");
    assertThat(scene.place(pod)).as("too large for one").isEqualTo(full);
    capacity("nodeTopology: {matchLabels: {zone: z}},", "capacity: 10Gi");
    assertThat(scene.place(pod)).isEqualTo("n");
  }
}
