package dev.sluice.controllers.scheduling;

import static dev.sluice.controllers.Worlds.driver;
import static dev.sluice.controllers.Worlds.reasons;
import static dev.sluice.controllers.Worlds.setPhase;
import static dev.sluice.controllers.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodStatus;
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
        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
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
  void aNodeThatBecomesReadyOrLosesItsTaintWakesWaitingPods() {
    addNode("a", 4);
    Node tainted = new Node(cluster.require(Kinds.NODE.key("a")));
    Tree unready =
        new Condition(Node.READY, false, "R", "m").in(tainted.object().status(), FakeCluster.START);
    cluster.patchStatus(Kinds.NODE, tainted.object(), unready);
    addPod("p", 1);
    driver.settle();
    assertThat(pod("p").status().message(PodStatus.POD_SCHEDULED))
        .contains("1 node(s) were not ready");

    Tree ready = new Condition(Node.READY, true, "R", "m").in(unready, FakeCluster.START);
    cluster.patchStatus(Kinds.NODE, cluster.require(Kinds.NODE.key("a")), ready);
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
    Tree term = Tree.of("topologyKey", "zone");
    Tree affinity =
        Tree.of(
            "podAntiAffinity",
            Tree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term)));
    addPod("apart", 1, Tree.of("affinity", affinity));
    Tree spread = term.with("maxSkew", 1).with("whenUnsatisfiable", "DoNotSchedule");
    addPod("spread", 1, Tree.of("topologySpreadConstraints", List.of(spread)));
    Tree wish = term.with("maxSkew", 1).with("whenUnsatisfiable", "ScheduleAnyway");
    addPod("wish", 1, Tree.of("topologySpreadConstraints", List.of(wish)));
    driver.settle();

    assertThat(pod("apart").status().message(PodStatus.POD_SCHEDULED))
        .contains("not supported yet");
    assertThat(pod("spread").status().message(PodStatus.POD_SCHEDULED))
        .contains("not supported yet");
    assertThat(pod("wish").isBound()).isTrue();
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
