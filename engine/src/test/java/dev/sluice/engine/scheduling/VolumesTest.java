package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumeCache;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.engine.scheduling.cluster.VolumePlan.Provision;
import dev.sluice.engine.scheduling.cluster.VolumePlan.Take;
import dev.sluice.engine.scheduling.framework.Permit;
import dev.sluice.engine.scheduling.plugins.VolumePermit;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods with claims of volumes go where the volumes are, or can be. */
class VolumesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final SchedulingScene scene = new SchedulingScene();
  private final VolumeCache book = scene.state.volumes();

  @BeforeEach
  void twoZones() {
    scene
        .node("a1", "cpu: 4", "zone: a, topology.kubernetes.io/zone: z1", "")
        .node("b1", "cpu: 4", "zone: b, topology.kubernetes.io/zone: z2", "");
    scene.storageClass("local", "kubernetes.io/no-provisioner", "");
  }

  private static ObjectKey claim(String name) {
    return Kinds.PERSISTENT_VOLUME_CLAIM.key("default", name);
  }

  @Test
  void aClaimThatDoesNotExistIsNamed() {
    assertThat(scene.place(scene.podWith("p", "data")))
        .isEqualTo("0/2 nodes are available: persistentvolumeclaim \"data\" not found.");
  }

  @Test
  void aClaimThatShouldHaveAVolumeByNowKeepsThePodWaiting() {
    scene.claim("data", "", "resources: {requests: {storage: 1Gi}}");

    assertThat(scene.place(scene.podWith("p", "data")))
        .isEqualTo("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.");
  }

  @Test
  void aPodGoesWhereItsVolumeCanBeReached() {
    scene.volume("there", "", "1Gi", "b");
    scene.boundClaim("data", "there", "");

    assertThat(scene.place(scene.podWith("p", "data"))).isEqualTo("b1");
    scene.volume("there", "", "1Gi", "nowhere");
    assertThat(scene.place(scene.podWith("q", "data")))
        .startsWith(
            "0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity.");
  }

  @Test
  void aVolumeThatIsGoneIsNamed() {
    scene.boundClaim("data", "gone", "");

    assertThat(scene.place(scene.podWith("p", "data")))
        .isEqualTo("0/2 nodes are available: persistentvolume \"gone\" not found.");
  }

  @Test
  void theZoneOfAVolumeMayBeInItsLabels() {
    scene.volume("v", "topology.kubernetes.io/zone: z2__z3", "capacity: {storage: 1Gi}");
    scene.boundClaim("data", "v", "");

    assertThat(scene.place(scene.podWith("p", "data"))).isEqualTo("b1");
    scene.volume("v", "topology.kubernetes.io/zone: z3", "capacity: {storage: 1Gi}");
    assertThat(scene.place(scene.podWith("q", "data")))
        .startsWith("0/2 nodes are available: 2 node(s) had no available volume zone.");
  }

  @Test
  void aClaimThatWaitsTakesTheSmallestVolumeThatIsLargeEnough() {
    scene.volume("large", "local", "10Gi", "b");
    scene.volume("fitting", "local", "2Gi", "b");
    scene.volume("tiny", "local", "1Gi", "a");
    scene.waitingClaim("data", "2Gi");
    PodFacts pod = scene.podWith("p", "data");

    assertThat(scene.place(pod)).isEqualTo("b1");
    assertThat(book.plan(pod, "b1", scene.state).steps())
        .containsExactly(new Take(claim("data"), "fitting"));
  }

  @Test
  void twoClaimsOfOnePodTakeTwoVolumes() {
    scene.volume("one", "local", "2Gi", "b");
    scene.waitingClaim("x", "1Gi");
    scene.waitingClaim("y", "2Gi");

    assertThat(scene.place(scene.podWith("p", "x", "y")))
        .startsWith(
            "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.");
    scene.volume("two", "local", "1Gi", "b");
    PodFacts pod = scene.podWith("q", "y", "x");
    assertThat(scene.place(pod)).isEqualTo("b1");
    assertThat(book.plan(pod, "b1", scene.state).steps())
        .containsExactly(new Take(claim("x"), "two"), new Take(claim("y"), "one"));
  }

  @Test
  void whatWasPromisedToOnePodIsNotThereForOthers() {
    scene.volume("only", "local", "2Gi", "b");
    scene.waitingClaim("x", "1Gi");
    scene.waitingClaim("y", "1Gi");
    PodFacts first = scene.podWith("p", "x");
    book.promise(first.key(), book.plan(first, "b1", scene.state));

    assertThat(scene.place(scene.podWith("q", "y"))).startsWith("0/2 nodes");
    book.forget(first.key());
    assertThat(scene.place(scene.podWith("q", "y"))).isEqualTo("b1");
  }

  @Test
  void aVolumeIsMadeWhereTheClassAllowsIt() {
    scene.storageClass(
        "made",
        "x.io/y",
        "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [b]}]}]");
    scene.claim("data", "", "storageClassName: made, resources: {requests: {storage: 1Gi}}");
    PodFacts pod = scene.podWith("p", "data");

    assertThat(scene.place(pod)).isEqualTo("b1");
    VolumePlan plan = book.plan(pod, "b1", scene.state);
    assertThat(plan).isEqualTo(new VolumePlan("b1", List.of(new Provision(claim("data")))));
    book.promise(pod.key(), plan);
    scene.state.removeNode("b1");
    scene.node("b2", "cpu: 4", "zone: b", "");
    assertThat(scene.place(scene.podWith("q", "data"))).startsWith("0/2 nodes");
  }

  @Test
  void aClaimForOnePodIsNotShared() {
    scene.volume("v", "", "capacity: {storage: 1Gi}");
    scene.boundClaim("data", "v", "accessModes: [ReadWriteOncePod]");
    PodFacts first = scene.podWith("p", "data");

    assertThat(scene.place(first)).isEqualTo("a1");
    assertThat(scene.place(scene.podWith("q", "data")))
        .startsWith(
            "0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with"
                + " ReadWriteOncePod access mode already in-use by another pod.");
    scene.state.take(first.key());
    assertThat(scene.place(scene.podWith("q", "data"))).isEqualTo("a1");
  }

  @Test
  void aMoreImportantPodTakesAClaimForOnePodFromAnother() {
    scene.volume("v", "", "capacity: {storage: 1Gi}");
    scene.boundClaim("data", "v", "accessModes: [ReadWriteOncePod]");
    scene.place(scene.podWith("p", "data"));

    assertThat(
            scene.place(
                scene.pod(
                    "q",
                    "",
                    "priority: 7, volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]")))
        .isEqualTo("after [p] on a1");
  }

  @Test
  void aClaimThatAPodDescribesForItselfIsItsOwn() {
    PodFacts pod = scene.pod("p", "", "volumes: [{name: scratch, ephemeral: {}}]");

    assertThat(scene.place(pod))
        .isEqualTo(
            "0/2 nodes are available: waiting for ephemeral volume controller to create the"
                + " persistentvolumeclaim \"p-scratch\".");
    scene.waitingClaim("p-scratch", "1Gi");
    assertThat(scene.place(pod))
        .contains("PVC default/p-scratch was not created for pod default/p");
  }

  @Test
  void aPodWaitsUntilItsClaimsAreBound() {
    scene.volume("v", "local", "2Gi", "b");
    scene.waitingClaim("data", "1Gi");
    PodFacts pod = scene.podWith("p", "data");
    book.promise(pod.key(), book.plan(pod, "b1", scene.state));
    var permit = new VolumePermit(scene.state);

    assertThat(permit.ask(pod, "b1", NOW)).isEqualTo(new Permit.Wait(Duration.ofMinutes(10)));
    scene.boundClaim("data", "v", "");
    assertThat(permit.ask(pod, "b1", NOW)).isEqualTo(Permit.Outcome.YES);
    scene.volume("v", "local", "2Gi", "a");
    assertThat(permit.ask(pod, "b1", NOW)).isInstanceOf(Permit.No.class);
  }

  @Test
  void aClaimFromWhichTheNodeWasTakenGoesToAnotherNode() {
    scene.storageClass("made", "x.io/y", "");
    scene.claim("data", "", "storageClassName: made, resources: {requests: {storage: 1Gi}}");
    PodFacts pod = scene.podWith("p", "data");
    book.promise(pod.key(), book.plan(pod, "b1", scene.state));
    var permit = new VolumePermit(scene.state);

    assertThat(permit.ask(pod, "b1", NOW)).isInstanceOf(Permit.Wait.class);
    book.written(pod.key());
    assertThat(permit.ask(pod, "b1", NOW)).isInstanceOf(Permit.No.class);
  }
}
