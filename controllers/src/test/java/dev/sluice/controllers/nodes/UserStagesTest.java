package dev.sluice.controllers.nodes;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class UserStagesTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  @BeforeEach
  void start() {
    SimulatedNodeSpec.parse("1:cpu=4")
        .nodes("a", List.of())
        .forEach(node -> cluster.create(Kinds.NODE, node));
    driver = driver(cluster, 3, SimulatedNodes.withPods(cluster, true));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private ApiObject stage(String name, String spec) {
    return Stages.create(cluster, name, "{resourceRef: {kind: Pod}, " + spec + "}");
  }

  private void pod(String name) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, finalizers: [a/b, c/d]}
            spec: {nodeName: simulated-a-0, containers: [{name: a}]}
            status: {phase: Pending}
            """
                .formatted(name)));
  }

  private static final String PENDING =
      "selector: {matchExpressions: [{key: .status.phase, operator: In, values: [Pending]}]}";

  @Test
  void stagesOfUsersReplaceOursOfTheSameKindOnly() {
    stage(
        "slow",
        PENDING
            + ", delay: {durationMilliseconds: 5000}, next: {statusTemplate: 'phase: Running'}");
    pod("p");

    pass(driver, cluster, Duration.ofSeconds(4));
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.PENDING);

    pass(driver, cluster, Duration.ofSeconds(2));
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(pods(cluster).getFirst().status().tree().has("podIP")).isFalse();
    assertThat(new Node(cluster.list(Kinds.NODE).getFirst()).isReady()).isTrue();
  }

  @Test
  void oursComeBackWhenTheLastOfTheirsGoes() {
    ApiObject never = stage("never", "selector: {matchLabels: {not: there}}");
    pod("p");
    pass(driver, cluster, Duration.ofMinutes(1));
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.PENDING);

    cluster.delete(Kinds.STAGE, never, Deletion.BACKGROUND);
    pass(driver, cluster, Duration.ofSeconds(1));

    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.RUNNING);
  }

  @Test
  void aChangeOfTheObjectStartsTheDelayAnew() {
    stage(
        "slow",
        PENDING
            + ", delay: {durationMilliseconds: 5000}, next: {statusTemplate: 'phase: Running'}");
    pod("p");
    pass(driver, cluster, Duration.ofSeconds(4));
    ApiObject pod = cluster.require(Kinds.POD.key("default", "p"));
    cluster.update(Kinds.POD, pod.withAnnotation("x", "y"));
    pass(driver, cluster, Duration.ofSeconds(4));
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.PENDING);

    pass(driver, cluster, Duration.ofSeconds(2));

    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.RUNNING);
  }

  @Test
  void everyKindOfStepIsDone() {
    stage(
        "all",
        PENDING
            + ", steps: [{event: {type: Normal, reason: Began, message: \"{{ .metadata.name }}"
            + " began\"}}, {patch: {template: 'metadata: {annotations: {by: stage}}'}},"
            + " {finalizers: {remove: [{value: a/b}], add: [{value: e/f}]}}, {patch: {subresource:"
            + " status, root: status, template: 'phase: Running'}}]");
    stage(
        "gone",
        "selector: {matchExpressions: [{key: .status.phase, operator: In, values: [Running]}]},"
            + " delay: {durationMilliseconds: 1000}, next: {finalizers: {empty: true}, delete:"
            + " true}");
    pod("p");
    driver.settle();

    ApiObject pod = cluster.require(Kinds.POD.key("default", "p"));
    assertThat(pod.annotation("by")).isEqualTo("stage");
    assertThat(pod.finalizers()).containsExactly("c/d", "e/f");
    assertThat(reasons(cluster, "p")).containsExactly("Began");
    assertThat(cluster.list(Kinds.EVENT).getFirst().tree().text("message")).isEqualTo("p began");

    pass(driver, cluster, Duration.ofSeconds(2));

    assertThat(pods(cluster)).isEmpty();
  }

  @Test
  void duringAnOutageAStageWaitsAndGoesOnWhereItWas() {
    stage(
        "all",
        PENDING
            + ", steps: [{event: {type: Normal, reason: Began, message: m}}, {patch: {template:"
            + " 'metadata: {annotations: {by: stage}}'}}, {patch: {subresource: status, root:"
            + " status, template: 'phase: Running'}}]");
    pod("p");
    cluster.losesStatusOf(key -> key.name().equals("p"));
    pass(driver, cluster, Duration.ofMinutes(2));
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.PENDING);

    cluster.losesStatusOf(_ -> false);
    pass(driver, cluster, Duration.ofMinutes(3));

    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(reasons(cluster, "p")).containsExactly("Began");
    assertThat(new Event(cluster.list(Kinds.EVENT).getFirst()).count())
        .as("what is done is not done again")
        .isEqualTo(1);
  }

  @Test
  void afterADeletionAStageOnlyTells() {
    stage(
        "gone",
        PENDING
            + ", steps: [{finalizers: {empty: true}}, {delete: true}, {patch: {template: 'metadata:"
            + " {annotations: {a: b}}'}}, {event: {type: Warning, reason: Gone, message: m}}]");
    pod("p");
    driver.settle();

    assertThat(pods(cluster)).isEmpty();
    assertThat(reasons(cluster, "p")).containsExactly("Gone");
  }

  @Test
  void aTemplateThatFailsMarksItsObjectAndHoldsUpNobody() {
    stage(
        "picky",
        PENDING
            + ", next: {statusTemplate: '{{ if eq .metadata.name \"bad\" }}{{ fail \"no good\" }}{{"
            + " end }}phase: Running'}");
    pod("bad");
    pod("good");
    pass(driver, cluster, Duration.ofMinutes(5));

    assertThat(reasons(cluster, "bad")).containsExactly("StageFailed");
    assertThat(reasons(cluster, "good")).isEmpty();
    assertThat(pods(cluster))
        .extracting(Pod::phase)
        .containsExactly(Pod.Phase.PENDING, Pod.Phase.RUNNING);
  }

  @Test
  void stageThatTakesTooLongStopsAndHoldsUpNoOther() {
    stage(
        "costly",
        "selector: {matchExpressions: [{key: '.spec.note | (.+.) | (.+.) | (.+.) | (.+.) | (.+.) |"
            + " (.+.)', operator: Exists}]}, next: {statusTemplate: 'phase: Failed'}");
    stage("plain", PENDING + ", next: {statusTemplate: 'phase: Running'}");
    cluster.create(
        Kinds.POD,
        yaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: large, namespace: default}, spec: {nodeName:"
                + " simulated-a-0, note: "
                + "a".repeat(200_000)
                + "}, status: {phase: Pending}}"));
    pass(driver, cluster, Duration.ofMinutes(5));

    assertThat(reasons(cluster, "large")).containsExactly("StageFailed");
    assertThat(pods(cluster)).extracting(Pod::phase).containsExactly(Pod.Phase.RUNNING);
    assertThat(cluster.list(Kinds.EVENT))
        .extracting(event -> new Event(event).message())
        .singleElement()
        .asString()
        .contains("stage costly is stopped until stages change", "1000000 steps");
  }

  @Test
  void whoCannotGoOnIsNotTriedAgainBeforeItChanges() {
    stage(
        "hasty",
        PENDING
            + ", immediateNextStage: true, next: {statusTemplate: '{{ if eq .metadata.name \"bad\""
            + " }}{{ fail \"no good\" }}{{ end }}phase: Pending'}");
    pod("bad");
    driver.settle();
    for (String other : List.of("b", "c", "d")) {
      pod(other);
      driver.settle();
    }

    assertThat(cluster.list(Kinds.EVENT))
        .extracting(event -> new Event(event).count())
        .containsExactly(1L);
  }

  @Test
  void aStageThatGotInThoughItIsWrongIsLeftOut() {
    stage("wrong", "next: {statusTemplate: '{{'}");
    pod("p");
    driver.settle();

    assertThat(reasons(cluster, "wrong")).containsExactly("InvalidStage");
    assertThat(pods(cluster).getFirst().phase()).isEqualTo(Pod.Phase.PENDING);
  }

  @Test
  void wrongStagesAreRefusedAtTheDoor() {
    var rules = new StageRules(cluster);
    ApiObject wrong =
        yaml("{kind: Stage, metadata: {name: s}, spec: {resourceRef: {kind: Pod}, weight: -1}}");

    assertThatThrownBy(() -> rules.checkCreate(wrong))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(
            "Stage.kwok.x-k8s.io \"s\" is invalid: spec.weight: Invalid value: -1");
    rules.checkUpdate(wrong, wrong);
  }

  @Test
  void podsGetAddressesOfTheirOwn() {
    pod("p");
    pod("q");
    driver.settle();

    assertThat(pods(cluster))
        .extracting(pod -> pod.status().tree().text("podIP"))
        .containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
  }

  @Test
  void newNodesLoseTheirTaintBeforeTheirFirstHeartbeat() {
    for (int i = 0; i < 10; i++) {
      cluster.create(
          Kinds.NODE,
          yaml(
              """
              apiVersion: v1
              kind: Node
              metadata: {name: n%d, annotations: {kwok.x-k8s.io/node: fake}}
              spec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]}
              """
                  .formatted(i)));
    }
    pass(driver, cluster, Duration.ofSeconds(1));

    assertThat(cluster.list(Kinds.NODE))
        .filteredOn(node -> node.name().startsWith("n"))
        .allMatch(node -> new Node(node).taints().isEmpty());
  }

  @Test
  void nodesBeatWhereSomebodyListens() {
    driver.settle();
    Node before = new Node(cluster.list(Kinds.NODE).getFirst());
    pass(driver, cluster, Duration.ofMinutes(11));
    Node after = new Node(cluster.list(Kinds.NODE).getFirst());

    assertThat(List.of(before, after))
        .extracting(node -> node.status().tree().trees("conditions").getFirst())
        .extracting(ready -> ready.text("lastHeartbeatTime").substring(0, 15))
        .containsExactly("2030-01-01T00:0", "2030-01-01T00:1");
    assertThat(after.isReady()).isTrue();
  }
}
