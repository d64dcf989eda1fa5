package dev.sluice.controllers.scheduling;

import static dev.sluice.controllers.Worlds.driver;
import static dev.sluice.controllers.Worlds.reasons;
import static dev.sluice.controllers.Worlds.setPhase;
import static dev.sluice.controllers.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodStatus;
import dev.sluice.model.core.Taint;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PodSchedulerTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 1, List.of(new PodScheduler(cluster)));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void addNode(String name, int cpu) {
    ApiObject node =
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status:
              allocatable: {cpu: %d, memory: 8Gi, pods: 110}
              conditions: [{type: Ready, status: "True"}]
            """
                .formatted(name, cpu));
    cluster.create(Kinds.NODE, node);
  }

  private void addPod(String name, int cpu, Tree more) {
    ApiObject pod =
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: default-scheduler
              containers: [{name: a, resources: {requests: {cpu: %d}}}]
            """
                .formatted(name, cpu));
    Tree spec = pod.spec();
    for (String field : more.names()) {
      spec = spec.with(field, more.at(field));
    }
    cluster.create(Kinds.POD, pod.withSpec(spec));
  }

  private void addPod(String name, int cpu) {
    addPod(name, cpu, Tree.EMPTY);
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  @Test
  void bindsPodsToTheNodesThatAreLeastUsed() {
    addNode("a", 4);
    addNode("b", 4);
    addPod("p", 1);
    addPod("q", 1);
    addPod("r", 3);
    driver.settle();

    assertThat(pod("p").nodeName()).isEqualTo("a");
    assertThat(pod("q").nodeName()).isEqualTo("b");
    assertThat(pod("r").nodeName()).isEqualTo("a");
    assertThat(reasons(cluster, "p")).containsExactly("Scheduled");
  }

  @Test
  void aPodWithoutRoomIsToldWhyOnceAndBoundWhenANodeComes() {
    addNode("a", 1);
    addPod("p", 2);
    driver.settle();

    PodStatus status = pod("p").status();
    assertThat(status.holds(PodStatus.POD_SCHEDULED)).isFalse();
    assertThat(status.reason(PodStatus.POD_SCHEDULED)).isEqualTo("Unschedulable");
    assertThat(status.message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption:"
                + " 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
    assertThat(reasons(cluster, "p")).containsExactly("FailedScheduling");

    addNode("b", 2);
    driver.settle();

    assertThat(pod("p").nodeName()).isEqualTo("b");
    assertThat(reasons(cluster, "p")).containsExactly("FailedScheduling", "Scheduled");
  }

  @Test
  void roomThatIsFreedGoesToTheMostImportantPodThatFits() {
    addNode("a", 2);
    addPod("first", 2);
    driver.settle();
    addPod("big", 3, Tree.of("priority", 100));
    addPod("small", 2);
    addPod("important", 2, Tree.of("priority", 10));
    driver.settle();
    setPhase(cluster, pod("first"), Pod.Phase.SUCCEEDED);
    driver.settle();

    assertThat(pod("important").isBound()).isTrue();
    assertThat(pod("small").isBound()).isFalse();
    assertThat(pod("big").isBound()).isFalse();

    cluster.delete(Kinds.POD, pod("important").object(), Deletion.NOW);
    driver.settle();

    assertThat(pod("small").isBound()).isTrue();
  }

  @Test
  void aNodeThatLosesItsTaintWakesWaitingPods() {
    addNode("a", 4);
    Node node = new Node(cluster.require(Kinds.NODE.key("a")));
    var taint = new Taint("k", "v", Taint.NO_SCHEDULE);
    cluster.update(Kinds.NODE, node.withTaints(List.of(taint)).object());
    addPod("p", 1);
    driver.settle();
    assertThat(pod("p").status().message(PodStatus.POD_SCHEDULED))
        .contains("1 node(s) had untolerated taint");

    Node tainted = new Node(cluster.require(Kinds.NODE.key("a")));
    cluster.update(Kinds.NODE, tainted.withTaints(List.of()).object());
    driver.settle();

    assertThat(pod("p").isBound()).isTrue();
  }

  @Test
  void gatedPodsAndThoseOfOtherSchedulersAreLeftAlone() {
    addNode("a", 4);
    addPod("gated", 1, Tree.of("schedulingGates", List.of(Tree.of("name", "g"))));
    addPod("other", 1, Tree.of("schedulerName", "volcano"));
    addPod("ours", 1, Tree.of("schedulerName", "sluice"));
    driver.settle();

    assertThat(pod("gated").isBound()).isFalse();
    assertThat(pod("gated").status().message(PodStatus.POD_SCHEDULED)).isEmpty();
    assertThat(pod("other").isBound()).isFalse();
    assertThat(pod("ours").isBound()).isTrue();

    ApiObject gated = pod("gated").object();
    cluster.update(Kinds.POD, gated.withSpec(gated.spec().without("schedulingGates")));
    driver.settle();

    assertThat(pod("gated").isBound()).isTrue();
  }

  @Test
  void whatIsNotSupportedIsSaid() {
    addNode("a", 4);
    Tree claim = Tree.of("name", "gpu", "resourceClaimName", "shared-gpu");
    addPod("device", 1, Tree.of("resourceClaims", List.of(claim)));
    driver.settle();

    assertThat(pod("device").status().message(PodStatus.POD_SCHEDULED))
        .contains("gpu (ResourceClaim shared-gpu)")
        .contains("without spec.resourceClaims, or with another scheduler in spec.schedulerName");
  }

  @Test
  void aMoreImportantPodPushesTheLeastImportantOnesAway() {
    addNode("a", 4);
    addPod("low", 2, Tree.of("priority", 1));
    addPod("middle", 2, Tree.of("priority", 5));
    driver.settle();
    addPod("high", 2, Tree.of("priority", 10));
    driver.settle();

    Pod low = pod("low");
    assertThat(low.isDeleting()).isTrue();
    assertThat(low.status().reason(PodStatus.DISRUPTION_TARGET)).isEqualTo("PreemptionByScheduler");
    assertThat(low.status().message(PodStatus.DISRUPTION_TARGET))
        .isEqualTo("default-scheduler: preempting to accommodate a higher priority pod");
    assertThat(pod("middle").isDeleting()).isFalse();
    assertThat(pod("high").status().nominatedNodeName()).isEqualTo("a");
    assertThat(pod("high").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");

    addPod("late", 2, Tree.of("priority", 9));
    cluster.delete(Kinds.POD, pod("low").object(), Deletion.NOW);
    driver.settle();

    assertThat(pod("high").nodeName()).isEqualTo("a");
    assertThat(pod("late").isBound()).isFalse();
    assertThat(reasons(cluster, "low")).containsExactly("Preempted", "Scheduled");
  }

  @Test
  void aPodThatDoesNotPreemptWaits() {
    addNode("a", 2);
    addPod("low", 2);
    driver.settle();
    addPod("high", 2, Tree.of("priority", 10, "preemptionPolicy", "Never"));
    driver.settle();

    assertThat(pod("low").isDeleting()).isFalse();
    assertThat(pod("high").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption:"
                + " not eligible due to preemptionPolicy=Never.");
  }

  @Test
  void aBudgetDecidesWhoLeaves() {
    addNode("a", 2);
    addNode("b", 2);
    addPod("guarded", 2);
    addPod("free", 2);
    driver.settle();
    ApiObject guarded = pod("guarded").object();
    cluster.update(Kinds.POD, guarded.withLabel("app", "db"));
    var budgets =
        new ResourceKind("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true);
    cluster.create(
        budgets,
        yaml(
            """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: db, namespace: default}
            spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}
            """));
    addPod("high", 2, Tree.of("priority", 10));
    driver.settle();

    assertThat(pod("guarded").isDeleting()).isFalse();
    assertThat(pod("free").isDeleting()).isTrue();
  }

  @Test
  void aSchedulerBesideOthersTakesOnlyThePodsThatNameIt() {
    stop();
    driver = driver(cluster, 1, List.of(new PodScheduler(cluster, "mine")));
    addNode("a", 4);
    addPod("usual", 1);
    addPod("ours", 1, Tree.of("schedulerName", "mine"));
    driver.settle();

    assertThat(pod("usual").isBound()).isFalse();
    assertThat(pod("ours").isBound()).isTrue();
  }

  @Test
  void manyPodsThatWaitAlikeCostOneAttemptForEachRoomThatIsFreed() {
    addNode("a", 2);
    for (int i = 0; i < 50; i++) {
      addPod("p" + i, 1);
    }
    driver.settle();
    long before = cluster.writes();
    setPhase(cluster, pod("p0"), Pod.Phase.SUCCEEDED);
    driver.settle();

    assertThat(pod("p2").isBound()).isTrue();
    assertThat(pod("p3").isBound()).isFalse();
    // the phase, the binding, its event, and nothing about those that still wait
    assertThat(cluster.writes() - before).isEqualTo(3);
  }

  @Test
  void aSchedulerThatStartsAnewKnowsWhatIsTaken() {
    addNode("a", 2);
    addPod("p", 2);
    driver.settle();
    stop();
    start();
    addPod("q", 1);
    driver.settle();

    assertThat(pod("q").isBound()).isFalse();
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
    cluster.create(Kinds.POD, pod);
    driver.settle();
    addNode("a", 2);
    addPod("p", 1);
    driver.settle();

    assertThat(pod("p").isBound()).isFalse();
  }
}
