package dev.sluice.controllers.nodes;

import static dev.sluice.controllers.Worlds.pass;
import static dev.sluice.controllers.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.controllers.Worlds;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Disruption;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.Lease;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.NodeTaints;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodStatus;
import dev.sluice.model.core.Taint;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What becomes of nodes from which nothing is heard, and of the pods on them. */
@Timeout(30)
class NodeFailureTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new NodeLifecycle(cluster), new TaintEviction(cluster)));

  @AfterEach
  void stop() {
    driver.close();
  }

  private void addNode(String name) {
    ApiObject node =
        yaml(
            """
            {apiVersion: v1, kind: Node, metadata: {name: %s}, status: {conditions: [
             {type: Ready, status: "True", lastHeartbeatTime: "2030-01-01T00:00:00Z"}]}}
            """
                .formatted(name));
    cluster.create(Kinds.NODE, node);
    Lease lease = Lease.of("kube-node-lease", name);
    cluster.create(
        Kinds.LEASE, lease.held(name, Duration.ofSeconds(40), cluster.time().now()).object());
  }

  private void renew(String name) {
    Lease lease = new Lease(cluster.require(Kinds.LEASE.key("kube-node-lease", name)));
    cluster.update(
        Kinds.LEASE, lease.held(name, Duration.ofSeconds(40), cluster.time().now()).object());
  }

  /** Lets time pass in which some nodes live. */
  private void pass30(int times, String... alive) {
    for (int i = 0; i < times; i++) {
      pass(driver, cluster, Duration.ofSeconds(30));
      for (String node : alive) {
        renew(node);
      }
      driver.settle();
    }
  }

  private Pod addPod(String name, String node, String tolerations) {
    ApiObject pod =
        yaml(
            """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default},
             spec: {nodeName: %s, tolerations: %s, terminationGracePeriodSeconds: 30},
             status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}
            """
                .formatted(name, node, tolerations));
    ApiObject created = cluster.create(Kinds.POD, pod);
    return new Pod(cluster.patchStatus(Kinds.POD, created, pod.status()));
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  private Node node(String name) {
    return new Node(cluster.require(Kinds.NODE.key(name)));
  }

  private List<String> taints(String node) {
    return node(node).taints().stream()
        .map(taint -> taint.key().replace("node.kubernetes.io/", "") + ":" + taint.effect())
        .sorted()
        .toList();
  }

  private List<String> messages(String reason) {
    return cluster.list(Kinds.EVENT).stream()
        .map(Event::new)
        .filter(event -> event.reason().equals(reason))
        .map(Event::message)
        .sorted()
        .toList();
  }

  private void setReady(String name, String status) {
    Node node = node(name);
    Tree changed =
        node.object()
            .status()
            .with("conditions", List.of(Tree.of("type", "Ready", "status", status)));
    cluster.patchStatus(Kinds.NODE, node.object(), changed);
    driver.settle();
  }

  private void taint(String name, String key, String effect) {
    ApiObject node = cluster.require(Kinds.NODE.key(name));
    Taint taint = new Taint(key, "", effect);
    cluster.update(Kinds.NODE, new Node(node).withTaints(List.of(taint)).object());
    driver.settle();
  }

  @Test
  void aNodeThatRenewsItsLeaseStaysReady() {
    addNode("a");
    pass30(10, "a");

    assertThat(node("a").isReady()).isTrue();
    assertThat(taints("a")).isEmpty();
  }

  @Test
  void aSilentNodeIsUnknownAfterFiftySecondsAndItsPodsAreNotReady() {
    addNode("a");
    addNode("b");
    addPod("p", "b", "[{operator: Exists}]");
    pass(driver, cluster, Duration.ofSeconds(49));
    assertThat(node("b").isReady()).isTrue();
    renew("a");
    pass(driver, cluster, Duration.ofSeconds(2));

    Tree ready = Condition.find(node("b").object().status(), "Ready").orElseThrow();
    assertThat(ready.text("status")).isEqualTo("Unknown");
    assertThat(ready.text("reason")).isEqualTo("NodeStatusUnknown");
    assertThat(ready.text("message")).isEqualTo("Kubelet stopped posting node status.");
    Tree disk = Condition.find(node("b").object().status(), "DiskPressure").orElseThrow();
    assertThat(disk.text("reason")).isEqualTo("NodeStatusNeverUpdated");
    assertThat(taints("b")).containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");
    assertThat(pod("p").isReady()).isFalse();
    assertThat(messages("NodeNotReady"))
        .containsExactly("Node b status is now: NodeNotReady", "Node is not ready");
    assertThat(node("a").isReady()).isTrue();
  }

  @Test
  void aNodeThatComesBackIsCleanAgain() {
    addNode("a");
    addNode("b");
    pass30(3, "a");
    assertThat(taints("b")).hasSize(2);
    setReady("b", "True");

    assertThat(taints("b")).isEmpty();
  }

  @Test
  void aSimulatedNodeWithoutALeaseIsNotMissed() {
    ApiObject node =
        yaml(
            """
            {apiVersion: v1, kind: Node,
             metadata: {name: s, annotations: {kwok.x-k8s.io/node: fake}},
             status: {conditions: [{type: Ready, status: "True"}]}}
            """);
    cluster.create(Kinds.NODE, node);
    pass(driver, cluster, Duration.ofHours(1));

    assertThat(node("s").isReady()).isTrue();
  }

  @Test
  void whenNoNodeIsReadyNobodyIsDrivenAway() {
    addNode("a");
    addNode("b");
    pass30(4);

    assertThat(taints("a")).containsExactly("unreachable:NoSchedule");
    assertThat(taints("b")).containsExactly("unreachable:NoSchedule");
  }

  @Test
  void nodesAreGivenUpOneByOne() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      addNode(name);
    }
    setReady("a", "False");
    setReady("b", "False");
    assertThat(taints("a")).contains("not-ready:NoExecute");
    assertThat(taints("b")).containsExactly("not-ready:NoSchedule");

    pass(driver, cluster, Duration.ofSeconds(10));
    assertThat(taints("b")).contains("not-ready:NoExecute");
  }

  @Test
  void ifMostOfASmallZoneIsDownNobodyIsGivenUp() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      addNode(name);
    }
    for (String name : List.of("a", "b", "c")) {
      setReady(name, "False");
    }
    pass30(1, "d", "e");

    assertThat(taints("a")).contains("not-ready:NoExecute");
    assertThat(taints("c")).containsExactly("not-ready:NoSchedule");
  }

  @Test
  void aNodeThatWasGivenUpStaysSoWhenNothingIsHeardOfItEither() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      addNode(name);
    }
    for (String name : List.of("a", "b", "c")) {
      setReady(name, "False");
    }
    setReady("a", "Unknown");

    assertThat(taints("a")).containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");
    assertThat(taints("b")).as("most of the zone is down").doesNotContain("not-ready:NoExecute");
  }

  record Case(String name, String conditions, boolean cordoned, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CONDITIONS =
      List.of(
          new Case("well", "{type: Ready, status: 'True'}", false, "[]"),
          new Case("never reported", "", false, "[not-ready:NoSchedule]"),
          new Case(
              "not ready",
              "{type: Ready, status: 'False'}",
              false,
              "[not-ready:NoExecute, not-ready:NoSchedule]"),
          new Case(
              "silent",
              "{type: Ready, status: Unknown}",
              false,
              "[unreachable:NoExecute, unreachable:NoSchedule]"),
          new Case(
              "short of everything",
              "{type: Ready, status: 'True'}, {type: MemoryPressure, status: 'True'}, {type:"
                  + " DiskPressure, status: 'True'}, {type: PIDPressure, status: 'True'}, {type:"
                  + " NetworkUnavailable, status: 'True'}",
              false,
              "[disk-pressure:NoSchedule, memory-pressure:NoSchedule,"
                  + " network-unavailable:NoSchedule, pid-pressure:NoSchedule]"),
          new Case(
              "not short of anything",
              "{type: Ready, status: 'True'}, {type: MemoryPressure, status: 'False'}, {type:"
                  + " DiskPressure, status: Unknown}",
              false,
              "[]"),
          new Case(
              "cordoned", "{type: Ready, status: 'True'}", true, "[unschedulable:NoSchedule]"));

  @ParameterizedTest
  @FieldSource("CONDITIONS")
  void taintsFollowFromConditions(Case c) {
    addNode("well");
    addNode("a");
    ApiObject node = node("a").object();
    Tree status = yaml("{status: {conditions: [%s]}}".formatted(c.conditions())).status();
    ApiObject changed = cluster.patchStatus(Kinds.NODE, node, status);
    cluster.update(Kinds.NODE, changed.with(List.of("spec", "unschedulable"), c.cordoned()));
    driver.settle();

    assertThat(taints("a")).hasToString(c.want());
  }

  @Test
  void conditionsBecomeTaints() {
    addNode("a");
    Node node = node("a");
    Tree pressure = Tree.of("type", "MemoryPressure", "status", "True");
    Tree ready = Tree.of("type", "Ready", "status", "True");
    Tree status = node.object().status().with("conditions", List.of(ready, pressure));
    ApiObject changed = cluster.patchStatus(Kinds.NODE, node.object(), status);
    cluster.update(Kinds.NODE, changed.with(List.of("spec", "unschedulable"), true));
    driver.settle();

    assertThat(taints("a"))
        .containsExactly("memory-pressure:NoSchedule", "unschedulable:NoSchedule");
    assertThat(new NodeTaints(node("a").object()).since(node("a").taints().getFirst()))
        .hasValue(FakeCluster.START);
  }

  @Test
  void whoDoesNotTolerateATaintGoesAtOnce() {
    addNode("a");
    addPod("p", "a", "[]");
    addPod("q", "a", "[{key: other, operator: Exists}]");
    addPod("r", "a", "[{key: k, operator: Exists}]");
    driver.settle();
    taint("a", "k", Taint.NO_EXECUTE);

    for (String gone : List.of("p", "q")) {
      Pod pod = pod(gone);
      assertThat(pod.isDeleting()).isTrue();
      assertThat(pod.status().reason(Disruption.CONDITION)).isEqualTo("DeletionByTaintManager");
      assertThat(pod.status().message(Disruption.CONDITION))
          .isEqualTo("Taint manager: deleting due to NoExecute taint");
    }
    assertThat(pod("r").isDeleting()).isFalse();
    assertThat(messages("TaintManagerEviction"))
        .containsExactly(
            "Marking for deletion Pod default/p", "Marking for deletion Pod default/q");
  }

  @Test
  void theShortestTolerationDecidesAndACleanNodeSpares() {
    addNode("a");
    String two =
        "[{key: k, operator: Exists, tolerationSeconds: 300},"
            + " {operator: Exists, effect: NoExecute, tolerationSeconds: 20}]";
    addPod("p", "a", two);
    addPod("endless", "a", "[{key: k, operator: Exists, tolerationSeconds: 9223372036854775807}]");
    taint("a", "k", Taint.NO_EXECUTE);
    pass(driver, cluster, Duration.ofSeconds(19));
    assertThat(pod("p").isDeleting()).isFalse();
    taint("a", "k", Taint.NO_SCHEDULE);
    pass(driver, cluster, Duration.ofSeconds(19));

    assertThat(pod("p").isDeleting()).isFalse();
    assertThat(messages("TaintManagerEviction"))
        .containsExactly(
            "Cancelling deletion of Pod default/endless", "Cancelling deletion of Pod default/p");

    taint("a", "k", Taint.NO_EXECUTE);
    pass(driver, cluster, Duration.ofSeconds(21));
    assertThat(pod("p").isDeleting()).isTrue();
  }

  @Test
  void aPodThatComesToATaintedNodeGoesToo() {
    addNode("a");
    taint("a", "k", Taint.NO_EXECUTE);
    addPod("p", "a", "[]");
    driver.settle();

    assertThat(pod("p").isDeleting()).isTrue();
    assertThat(pod("p").status().holds(PodStatus.READY)).isTrue();
  }
}
