package dev.sluice.controllers.nodes.lifecycle;

import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of nodes from which nothing is heard, and of the pods on them. */
@Timeout(30)
class NodeFailureTest {
  private final NodeWorld world = new NodeWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aNodeThatRenewsItsLeaseStaysReady() {
    world.addNode("a");
    world.pass30(10, "a");

    assertThat(world.node("a").isReady()).isTrue();
    assertThat(world.taints("a")).isEmpty();
  }

  @Test
  void aSilentNodeIsUnknownAfterFiftySecondsAndItsPodsAreNotReady() {
    world.addNode("a");
    world.addNode("b");
    world.addPod("p", "b", "[{operator: Exists}]");
    world.pass(49);
    assertThat(world.node("b").isReady()).isTrue();
    world.renew("a");
    world.pass(2);

    Tree ready = Condition.find(world.node("b").object().status(), "Ready").orElseThrow();
    assertThat(ready.text("status")).isEqualTo("Unknown");
    assertThat(ready.text("reason")).isEqualTo("NodeStatusUnknown");
    assertThat(ready.text("message")).isEqualTo("Kubelet stopped posting node status.");
    Tree disk = Condition.find(world.node("b").object().status(), "DiskPressure").orElseThrow();
    assertThat(disk.text("reason")).isEqualTo("NodeStatusNeverUpdated");
    assertThat(world.taints("b"))
        .containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");
    assertThat(world.pod("p").isReady()).isFalse();
    assertThat(world.messages("NodeNotReady"))
        .containsExactly("Node b status is now: NodeNotReady", "Node is not ready");
    assertThat(world.node("a").isReady()).isTrue();
  }

  @Test
  void aNodeThatSaysItselfThatItIsNotReadyLooksAfterItsPods() {
    world.addNode("a");
    world.addNode("b");
    world.addPod("p", "b", "[{operator: Exists}]");
    world.setReady("b", "False");
    world.pass30(3, "a");

    assertThat(world.taints("b")).contains("unreachable:NoSchedule");
    assertThat(world.pod("p").isReady()).isTrue();
    assertThat(world.messages("NodeNotReady")).isEmpty();
  }

  @Test
  void podsThatAreToldKeepTheGenerationOfWhichTheirConditionSpoke() {
    world.addNode("a");
    Tree ready = Tree.of("type", "Ready", "status", "True", "observedGeneration", 1);
    ApiObject told = world.addPod("told", "a", "[{operator: Exists}]").object();
    ApiObject seen =
        world.cluster.patchStatus(
            Kinds.POD, told, told.status().with("conditions", List.of(ready)));
    world.cluster.update(Kinds.POD, seen.with(List.of("spec", "activeDeadlineSeconds"), 3600));
    world.addPod("untold", "a", "[{operator: Exists}]");
    world.pass(60);

    assertThat(readiness("told").text("status")).isEqualTo("False");
    assertThat(readiness("told").whole("observedGeneration")).hasValue(1);
    assertThat(readiness("untold").has("observedGeneration")).isFalse();
  }

  private Tree readiness(String pod) {
    return Condition.find(world.pod(pod).object().status(), "Ready").orElseThrow();
  }

  @Test
  void podsOfANodeThatWasLostBeforeAreToldAfterARestart() {
    world.addNode("a");
    world.setReady("a", "Unknown");
    world.driver.close();
    world.addPod("p", "a", "[{operator: Exists}]");
    try (var again = Worlds.driver(world.cluster, 1, List.of(new NodeLifecycle(world.cluster)))) {
      again.settle();
    }

    assertThat(world.pod("p").isReady()).isFalse();
    assertThat(world.messages("NodeNotReady")).containsExactly("Node is not ready");
  }

  @Test
  void aNodeThatComesBackIsCleanAgain() {
    world.addNode("a");
    world.addNode("b");
    world.pass30(3, "a");
    assertThat(world.taints("b")).hasSize(2);
    world.setReady("b", "True");

    assertThat(world.taints("b")).isEmpty();
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
    world.cluster.create(Kinds.NODE, node);
    world.pass(3600);

    assertThat(world.node("s").isReady()).isTrue();
  }

  @Test
  void whenNoNodeIsReadyNobodyIsDrivenAway() {
    world.addNode("a");
    world.addNode("b");
    world.pass30(4);

    assertThat(world.taints("a")).containsExactly("unreachable:NoSchedule");
    assertThat(world.taints("b")).containsExactly("unreachable:NoSchedule");
  }

  @Test
  void nodesAreGivenUpOneByOne() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      world.addNode(name);
    }
    world.setReady("a", "False");
    world.setReady("b", "False");
    assertThat(world.taints("a")).contains("not-ready:NoExecute");
    assertThat(world.taints("b")).containsExactly("not-ready:NoSchedule");

    world.pass(10);
    assertThat(world.taints("b")).contains("not-ready:NoExecute");
  }

  @Test
  void ifMostOfASmallZoneIsDownNobodyIsGivenUp() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      world.addNode(name);
    }
    for (String name : List.of("a", "b", "c")) {
      world.setReady(name, "False");
    }
    world.pass30(1, "d", "e");

    assertThat(world.taints("a")).contains("not-ready:NoExecute");
    assertThat(world.taints("c")).containsExactly("not-ready:NoSchedule");
  }

  @Test
  void aNodeThatWasGivenUpStaysSoWhenNothingIsHeardOfItEither() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      world.addNode(name);
    }
    for (String name : List.of("a", "b", "c")) {
      world.setReady(name, "False");
    }
    world.setReady("a", "Unknown");

    assertThat(world.taints("a"))
        .containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");
    assertThat(world.taints("b"))
        .as("most of the zone is down")
        .doesNotContain("not-ready:NoExecute");
  }
}
