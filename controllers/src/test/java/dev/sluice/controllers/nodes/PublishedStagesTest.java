package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages in the form in which KWOK publishes its own, which people have in their clusters. */
@Timeout(30)
class PublishedStagesTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() throws IOException {
    for (String file : List.of("nodes.yaml", "pods.yaml")) {
      var rules = new StageRules(cluster);
      for (var document :
          Yaml.parseAll(Files.readString(Path.of("src/test/resources/kwok", file)))) {
        ApiObject stage = ApiObject.of(document);
        rules.checkCreate(stage);
        cluster.create(Kinds.STAGE, stage);
      }
    }
    driver = driver(cluster, 3, SimulatedNodes.withPods(cluster, false));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private Node node(String more) {
    cluster.create(
        Kinds.NODE,
        yaml(
            "{apiVersion: v1, kind: Node, metadata: {name: n, annotations: {kwok.x-k8s.io/node:"
                + " fake}}, "
                + more
                + "}"));
    driver.settle();
    return new Node(cluster.require(Kinds.NODE.key("n")));
  }

  private Tree pod(String metadata, String spec) {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: default, %s}
                spec: {nodeName: n, %s}
                """
                    .formatted(metadata, spec)));
    Tree scheduled = Tree.of("type", "PodScheduled", "status", "True");
    cluster.patchStatus(
        Kinds.POD, pod, Tree.of("phase", "Pending", "conditions", List.of(scheduled)));
    driver.settle();
    return cluster.require(Kinds.POD.key("default", "p")).status();
  }

  @Test
  void aNodeIsInitialisedAndBeats() {
    Node node = node("status: {nodeInfo: {architecture: arm64}}");

    assertThat(node.isReady()).isTrue();
    assertThat(node.status().phase()).isEqualTo("Running");
    assertThat(node.status().capacity())
        .isEqualTo(Tree.of("cpu", "1k", "memory", "1Ti", "pods", "1M"));
    assertThat(node.status().tree().text("nodeInfo", "architecture")).isEqualTo("arm64");
    assertThat(node.status().tree().text("nodeInfo", "kubeletVersion")).startsWith("kwok-");

    pass(driver, cluster, Duration.ofSeconds(26));

    Tree ready =
        new Node(cluster.require(Kinds.NODE.key("n")))
            .status()
            .tree()
            .trees("conditions")
            .getFirst();
    assertThat(ready.text("lastHeartbeatTime"))
        .isBetween("2030-01-01T00:00:20Z", "2030-01-01T00:00:25Z");
    assertThat(ready.text("lastTransitionTime")).isEqualTo("2030-01-01T00:00:00Z");
  }

  @Test
  void aNodeKeepsTheSizeAndTheAddressesThatItHas() {
    Node node =
        node(
            "status: {capacity: {cpu: '8'}, allocatable: {cpu: '7'}, addresses: [{type: InternalIP,"
                + " address: 1.2.3.4}]}");

    assertThat(node.status().capacity().text("cpu")).isEqualTo("8");
    assertThat(node.status().tree().text("allocatable", "cpu")).isEqualTo("7");
    assertThat(node.status().addresses()).containsExactly("1.2.3.4");
  }

  @Test
  void aPodRunsWithAnAddressFromEachRangeOfItsNode() {
    node("spec: {podCIDR: 10.9.0.0/24, podCIDRs: [10.9.0.0/24, 'fd00:9::/64']}");

    Tree status =
        pod(
            "labels: {a: b}",
            "readinessGates: [{conditionType: gate}], initContainers: [{name: i, image: x}, {name:"
                + " s, image: x, restartPolicy: Always}], containers: [{name: m, image: x,"
                + " resources: {requests: {cpu: 1}}}]");

    assertThat(status.text("phase")).isEqualTo("Running");
    assertThat(status.text("podIP")).isEqualTo("10.9.0.1");
    assertThat(status.trees("podIPs"))
        .containsExactly(Tree.of("ip", "10.9.0.1"), Tree.of("ip", "fd00:9::1"));
    assertThat(status.trees("conditions"))
        .extracting(condition -> condition.text("type"))
        .containsExactly("Initialized", "Ready", "ContainersReady", "PodScheduled", "gate");
    assertThat(status.trees("initContainerStatuses"))
        .extracting(container -> container.tree("state").names().getFirst())
        .containsExactly("terminated", "running");
    assertThat(status.names()).noneMatch(name -> name.startsWith("$"));
  }

  @Test
  void aPodOfAJobEndsAtOnceAndOthersRunOn() {
    node("spec: {}");

    Tree status =
        pod(
            "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u}]",
            "containers: [{name: m, image: x}]");

    assertThat(status.text("phase")).isEqualTo("Succeeded");
    assertThat(status.trees("containerStatuses").getFirst().text("state", "terminated", "reason"))
        .isEqualTo("Completed");
  }

  @Test
  void theDelayIsThatOfThePodsOwnAnnotation() {
    node("spec: {}");

    Tree status =
        pod(
            "annotations: {pod-ready.stage.kwok.x-k8s.io/delay: 7s}",
            "containers: [{name: m, image: x}]");
    assertThat(status.text("phase")).isEqualTo("Pending");
    pass(driver, cluster, Duration.ofSeconds(8));

    assertThat(pods(cluster).getFirst().status().tree().text("phase")).isEqualTo("Running");
  }

  @Test
  void aDeletedPodGoesWhateverHoldsIt() {
    node("spec: {}");
    pod("finalizers: [a/b]", "containers: [{name: m, image: x}]");

    cluster.delete(Kinds.POD, cluster.require(Kinds.POD.key("default", "p")), Deletion.BACKGROUND);
    driver.settle();

    assertThat(pods(cluster)).isEmpty();
    assertThat(reasons(cluster, "p")).containsExactly("Killing");
  }
}
