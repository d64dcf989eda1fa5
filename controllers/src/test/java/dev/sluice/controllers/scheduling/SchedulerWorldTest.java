package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the scheduler learns from the rest of its world, and what that may refuse. */
class SchedulerWorldTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    for (ResourceKind kind :
        List.of(Kinds.SERVICE, Kinds.CSI_NODE, Kinds.CSI_DRIVER, Kinds.VOLUME_ATTACHMENT)) {
      cluster.serve(kind);
    }
    driver = driver(cluster, 1, List.of(new PodScheduler(cluster)));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void node(String name, int cpu) {
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {kubernetes.io/hostname: %s}}
            status: {allocatable: {cpu: %d, memory: 8Gi, pods: 110}}
            """
                .formatted(name, name, cpu)));
  }

  private void pod(String name, String cpu, String spec) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, labels: {app: a}}
            spec: {containers: [{name: a, resources: {requests: {cpu: %s}}}], %s}
            """
                .formatted(name, cpu, spec)));
    driver.settle();
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  private String message(String pod) {
    return pod(pod).status().message(PodStatus.POD_SCHEDULED);
  }

  @Test
  void aPodThatMayNotBeBoundIsToldWhyAndTriesAgain() {
    var refusing = new boolean[] {true};
    cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.BINDING) && refusing[0]) {
        throw ApiFailure.forbidden(object.key(Kinds.POD), "not on Sundays");
      }
    });
    node("n", 4);
    pod("p", "1", "");

    assertThat(pod("p").status().reason(PodStatus.POD_SCHEDULED)).isEqualTo("SchedulerError");
    assertThat(message("p"))
        .startsWith("running Bind plugin \"DefaultBinder\": ")
        .endsWith("not on Sundays");
    assertThat(reasons(cluster, "p")).containsExactly("FailedScheduling");

    refusing[0] = false;
    driver.settle();
    assertThat(pod("p").isBound()).as("errors pause").isFalse();
    pass(driver, cluster, Duration.ofSeconds(2));
    assertThat(pod("p").nodeName()).isEqualTo("n");
  }

  @Test
  void theRoomOfAPodThatMayNotBeBoundIsFreeForOthers() {
    cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.BINDING) && object.name().equals("p")) {
        throw ApiFailure.forbidden(object.key(Kinds.POD), "not on Sundays");
      }
    });
    node("n", 1);
    pod("p", "1", "");
    pod("q", "1", "");

    assertThat(pod("q").nodeName()).isEqualTo("n");
  }

  @Test
  void podsOfAServiceAreSpread() {
    node("a", 64);
    node("b", 4);
    cluster.create(
        Kinds.SERVICE,
        yaml(
            "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}, spec:"
                + " {selector: {app: a}}}"));
    pod("p", "1", "");
    pod("q", "1", "");

    assertThat(List.of(pod("p").nodeName(), pod("q").nodeName())).containsExactly("a", "b");

    ApiObject service = cluster.require(Kinds.SERVICE.key("default", "s"));
    cluster.delete(Kinds.SERVICE, service, Deletion.NOW);
    pod("r", "1", "");
    assertThat(pod("r").nodeName()).as("nobody spreads them any more").isEqualTo("a");
  }

  @Test
  void aNodeThatCanHaveNoMoreVolumesWakesPodsWhenOneIsDetached() {
    node("n", 4);
    cluster.create(
        Kinds.CSI_NODE,
        yaml(
            "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: n}, spec: {drivers:"
                + " [{name: d, allocatable: {count: 1}}]}}"));
    for (String name : List.of("used", "wanted")) {
      cluster.create(
          Kinds.PERSISTENT_VOLUME,
          yaml(
              "{apiVersion: v1, kind: PersistentVolume, metadata: {name: %s}, spec: {csi: {driver: d,"
                      .formatted(name)
                  + " volumeHandle: %s}}}".formatted(name)));
    }
    cluster.create(
        Kinds.PERSISTENT_VOLUME_CLAIM,
        yaml(
            "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: default,"
                + " annotations: {pv.kubernetes.io/bind-completed: 'yes'}}, spec: {volumeName:"
                + " wanted}}"));
    ApiObject attachment =
        cluster.create(
            Kinds.VOLUME_ATTACHMENT,
            yaml(
                "{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: at},"
                    + " spec: {nodeName: n, source: {persistentVolumeName: used}}}"));
    pod("p", "1", "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]");
    assertThat(message("p"))
        .startsWith("0/1 nodes are available: 1 node(s) exceed max volume count.");

    cluster.delete(Kinds.VOLUME_ATTACHMENT, attachment, Deletion.NOW);
    driver.settle();

    assertThat(pod("p").nodeName()).isEqualTo("n");
  }

  @Test
  void roomThatIsFreedInPartLetsAMoreImportantPodPushForTheRest() {
    node("n", 4);
    pod("high", "2", "priority: 9");
    pod("low", "2", "priority: 1");
    pod("middle", "4", "priority: 5");
    assertThat(pod("middle").status().nominatedNodeName()).isEmpty();

    cluster.delete(Kinds.POD, pod("high").object(), Deletion.NOW);
    driver.settle();

    assertThat(pod("low").isDeleting()).isTrue();
    assertThat(pod("middle").status().nominatedNodeName()).isEqualTo("n");
  }
}
