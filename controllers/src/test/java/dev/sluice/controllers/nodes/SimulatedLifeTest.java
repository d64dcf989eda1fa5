package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.job;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.ContainerState;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SimulatedLifeTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    driver = driver(cluster, 3, Stages.players(cluster));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void addNodes(String spec) {
    SimulatedNodeSpec.parse(spec)
        .nodes("a", List.of())
        .forEach(node -> cluster.create(Kinds.NODE, node));
  }

  private static Tree tolerant(Tree spec) {
    return spec.with(
        List.of("template", "spec", "tolerations"), List.of(Tree.of("operator", "Exists")));
  }

  private static Tree lasting(Tree spec, String duration) {
    return tolerant(spec)
        .with(List.of("template", "metadata", "annotations", "sluice.dev/duration"), duration);
  }

  @Test
  void aSimulatedNodeBecomesReadyAndKeepsTheSizeItWasGiven() {
    addNodes("1:cpu=32,memory=1Gi");
    driver.settle();

    Node node = new Node(cluster.list(Kinds.NODE).getFirst());
    assertThat(node.isReady()).isTrue();
    assertThat(node.status().phase()).isEqualTo("Running");
    assertThat(node.allocatable().get("cpu")).isEqualTo(32_000);
    assertThat(node.status().internalAddress()).startsWith("10.");
  }

  @Test
  void aSimulatedNodeWithoutASizeGetsAHugeOneAndLosesTheTaintOfNewNodes() {
    ApiObject node =
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n, annotations: {kwok.x-k8s.io/node: fake}}
            spec:
              taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}, {key: k, effect: NoSchedule}]
            """);
    cluster.create(Kinds.NODE, node);
    driver.settle();

    Node ready = new Node(cluster.list(Kinds.NODE).getFirst());
    assertThat(ready.allocatable().byResource())
        .hasToString("{cpu=1000000, memory=1099511627776, pods=1000000}");
    assertThat(ready.taints()).extracting(Taint::key).containsExactly("k");
  }

  @Test
  void nodesOfOthersAreLeftAlone() {
    cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", "real"));
    driver.settle();

    assertThat(cluster.list(Kinds.NODE).getFirst().status()).isEqualTo(Tree.EMPTY);
  }

  @Test
  void aJobRunsOnSimulatedNodesForAsLongAsItsPodsSleep() {
    addNodes("2:cpu=4,memory=8Gi");
    cluster.create(
        Kinds.JOB, job("j", spec -> tolerant(spec).with("parallelism", 3).with("completions", 6)));
    pass(driver, cluster, Duration.ofSeconds(29));

    assertThat(pods(cluster)).hasSize(3).allMatch(Pod::isReady);
    assertThat(job(cluster, "j").status().ready()).isEqualTo(3);

    pass(driver, cluster, Duration.ofSeconds(40));

    JobStatus status = job(cluster, "j").status();
    assertThat(status.holds(JobStatus.COMPLETE)).isTrue();
    assertThat(status.succeeded()).isEqualTo(6);
    assertThat(Duration.between(status.started().orElseThrow(), status.completed().orElseThrow()))
        .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(63));
    Pod pod = pods(cluster).getFirst();
    assertThat(pod.status().containers().getFirst().state())
        .containsInstanceOf(ContainerState.Terminated.class);
    assertThat(pod.status().tree().text("podIP")).startsWith("10.");
  }

  @Test
  void durationsAreExactBelowTheSecond() {
    addNodes("1:cpu=4,memory=8Gi");
    var ends = new ArrayList<Instant>();
    cluster.watch(
        Kinds.POD,
        event -> {
          if (new Pod(event.object()).phase() == Pod.Phase.SUCCEEDED && ends.isEmpty()) {
            ends.add(cluster.time().now());
          }
        });
    pass(driver, cluster, Duration.ofMillis(700));
    cluster.create(Kinds.JOB, job("j", spec -> lasting(spec, "500ms")));
    pass(driver, cluster, Duration.ofSeconds(3));

    assertThat(ends).containsExactly(FakeCluster.START.plusMillis(1200));
  }

  @Test
  void aPodThatTakesNoTimeIsWrittenOnceAndEndsAsOneThatRanDoes() {
    addNodes("1:cpu=4,memory=8Gi");
    var phases = new ArrayList<Pod.Phase>();
    cluster.watch(
        Kinds.POD,
        event -> {
          if (event.object().name().startsWith("none")) {
            phases.add(new Pod(event.object()).phase());
          }
        });
    cluster.create(Kinds.JOB, job("none", spec -> lasting(manifold(spec), "0s")));
    cluster.create(Kinds.JOB, job("some", spec -> lasting(manifold(spec), "1ms")));
    pass(driver, cluster, Duration.ofSeconds(5));

    assertThat(phases).contains(Pod.Phase.SUCCEEDED).doesNotContain(Pod.Phase.RUNNING);
    List<Tree> ended = pods(cluster).stream().map(pod -> pod.status().tree()).toList();
    assertThat(ended).hasSize(2);
    assertThat(ended.get(0).without("podIP").without("podIPs"))
        .isEqualTo(ended.get(1).without("podIP").without("podIPs"));
    assertThat(job(cluster, "none").status().holds(JobStatus.COMPLETE)).isTrue();
  }

  /** With everything that a status tells of: a sidecar, a first container, a gate. */
  private static Tree manifold(Tree spec) {
    ApiObject parts =
        yaml(
            """
            kind: Pod
            spec:
              initContainers: [{name: first, image: i}, {name: side, image: i, restartPolicy: Always}]
              readinessGates: [{conditionType: gate}]
            """);
    return spec.with(
            List.of("template", "spec", "initContainers"), parts.spec().at("initContainers"))
        .with(List.of("template", "spec", "readinessGates"), parts.spec().at("readinessGates"));
  }

  @Test
  void aRestartForgetsNoPod() {
    addNodes("1:cpu=4,memory=8Gi");
    cluster.create(Kinds.JOB, job("j", spec -> lasting(spec, "1m")));
    pass(driver, cluster, Duration.ofSeconds(50));
    stop();
    start();
    pass(driver, cluster, Duration.ofSeconds(9));
    assertThat(job(cluster, "j").isFinished()).isFalse();
    pass(driver, cluster, Duration.ofSeconds(3));

    assertThat(job(cluster, "j").status().holds(JobStatus.COMPLETE)).isTrue();
  }

  @Test
  void anUnreadableDurationFailsThePodAndSaysWhy() {
    addNodes("1:cpu=4,memory=8Gi");
    cluster.create(Kinds.JOB, job("j", spec -> lasting(spec, "soon").with("backoffLimit", 0)));
    pass(driver, cluster, Duration.ofSeconds(5));

    Pod pod = pods(cluster).getFirst();
    assertThat(pod.phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod.status().tree().text("reason")).isEqualTo("InvalidDuration");
    assertThat(pod.status().tree().text("message")).contains("\"soon\"").contains("1m30s");
    assertThat(reasons(cluster, pod.name())).contains("InvalidDuration");
    assertThat(job(cluster, "j").status().holds(JobStatus.FAILED)).isTrue();
  }

  @Test
  void aDeletedPodEndsBeforeItGoesAndIsCounted() {
    addNodes("1:cpu=4,memory=8Gi");
    cluster.create(
        Kinds.JOB, job("j", spec -> tolerant(spec).with("podReplacementPolicy", "Failed")));
    pass(driver, cluster, Duration.ofSeconds(5));
    var phases = new ArrayList<Pod.Phase>();
    cluster.watch(Kinds.POD, event -> phases.add(new Pod(event.object()).phase()));
    cluster.delete(Kinds.POD, pods(cluster).getFirst().object(), Deletion.BACKGROUND);
    pass(driver, cluster, Duration.ofSeconds(3));

    assertThat(phases).contains(Pod.Phase.FAILED);
    assertThat(pods(cluster)).isEmpty();
    assertThat(job(cluster, "j").status().failed()).isEqualTo(1);

    pass(driver, cluster, Duration.ofSeconds(60));

    assertThat(job(cluster, "j").status().holds(JobStatus.COMPLETE)).isTrue();
  }

  @Test
  void podsThatWereBoundBeforeTheirNodeCameStartWithIt() {
    ApiObject pod =
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: early, namespace: default}
            spec: {nodeName: simulated-a-0, containers: [{name: a}]}
            """);
    cluster.create(Kinds.POD, pod);
    driver.settle();
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.PENDING);
    addNodes("1:cpu=4");
    pass(driver, cluster, Duration.ofHours(1));

    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.RUNNING);
  }

  @Test
  void nodesAndPodsAreChosenAndLedAsTheSettingsSay() {
    var settings =
        KwokConfiguration.read(
                "{apiVersion: config.kwok.x-k8s.io/v1alpha1, kind: KwokConfiguration, options:"
                    + " {manageNodesWithLabelSelector: type=mine, cidr: 10.77.0.0/16,"
                    + " nodeLeaseDurationSeconds: 80, disregardStatusWithLabelSelector:"
                    + " hands=off}}")
            .settings();
    var world = new FakeCluster(1);
    world.create(Kinds.NODE, yaml("{kind: Node, metadata: {name: mine, labels: {type: mine}}}"));
    world.create(
        Kinds.NODE,
        yaml("{kind: Node, metadata: {name: kwok, annotations: {kwok.x-k8s.io/node: fake}}}"));
    for (String pod : List.of("led", "left")) {
      world.create(
          Kinds.POD,
          yaml(
              """
              kind: Pod
              metadata: {name: %s, namespace: default, labels: {hands: %s}}
              spec: {nodeName: mine, containers: [{name: a}]}
              """
                  .formatted(pod, pod.equals("left") ? "\"off\"" : "\"on\"")));
    }
    var controllers = new ArrayList<>(SimulatedNodes.withPods(world, true, settings));
    controllers.add(new NodeLeases(world, settings));
    try (VirtualDriver mine = driver(world, 1, controllers)) {
      mine.settle();
    }

    assertThat(world.list(Kinds.NODE))
        .filteredOn(node -> new Node(node).isReady())
        .extracting(ApiObject::name)
        .containsExactly("mine");
    assertThat(world.require(Kinds.POD.key("default", "led")).status().text("podIP"))
        .isEqualTo("10.77.0.1");
    assertThat(world.require(Kinds.POD.key("default", "left")).status().text("phase"))
        .isEqualTo("Pending");
    assertThat(world.list(Kinds.LEASE))
        .singleElement()
        .satisfies(lease -> assertThat(lease.spec().whole("leaseDurationSeconds")).hasValue(80));
  }
}
