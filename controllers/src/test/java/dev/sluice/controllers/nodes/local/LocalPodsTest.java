package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.controllers.Worlds;
import dev.sluice.controllers.nodes.local.FakeContainers.Life;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.ContainerState;
import dev.sluice.model.core.ContainerStatus;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class LocalPodsTest {
  private static final ObjectKey POD = Kinds.POD.key("default", "p");
  private static final LocalMachine MACHINE =
      new LocalMachine(
          "local", "127.0.0.1", "here", 1000, 1000, Tree.of("cpu", "2"), new TreeMap<>());

  private final FakeCluster cluster = new FakeCluster(1);
  private final FakeContainers containers = new FakeContainers(cluster);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new LocalPods(cluster, MACHINE, containers)));

  @Test
  void aPodRunsToItsEnd() {
    containers.play("main", Life.ends(5, 0));
    create("restartPolicy: Never, containers: [{name: main, image: b, command: [work]}]");

    pass(1);
    assertThat(pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(pod().isReady()).isTrue();
    pass(5);
    assertThat(pod().phase()).isEqualTo(Pod.Phase.SUCCEEDED);
    assertThat(pod().isReady()).isFalse();
    assertThat(pod().status().reason(PodStatus.READY)).isEqualTo("PodCompleted");
    assertThat(container("main").state().orElseThrow())
        .isInstanceOfSatisfying(
            ContainerState.Terminated.class,
            end -> assertThat(end.reason()).isEqualTo("Completed"));
  }

  @Test
  void restartsBackOffFrom10sTo5Minutes() {
    containers.play("main", Life.ends(0, 1));
    create("restartPolicy: OnFailure, containers: [{name: main, image: b, command: [work]}]");

    pass(1200);

    assertThat(containers.done)
        .containsExactly(
            "0s start main#0",
            "0s start main#1",
            "10s start main#2",
            "30s start main#3",
            "70s start main#4",
            "150s start main#5",
            "310s start main#6",
            "610s start main#7",
            "910s start main#8");
    assertThat(pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(container("main").restarts()).isEqualTo(8);
    assertThat(container("main").state())
        .contains(
            new ContainerState.Waiting(
                "CrashLoopBackOff",
                "back-off 5m0s restarting failed container=main pod=p_default(%s)"
                    .formatted(pod().uid())));
  }

  @Test
  void aLongRunForgivesEarlierFailures() {
    containers.play("main", Life.ends(0, 1), Life.ends(0, 1), Life.ends(700, 1), Life.ends(0, 1));
    create("restartPolicy: Always, containers: [{name: main, image: b, command: [work]}]");

    pass(715);

    assertThat(containers.done)
        .containsExactly(
            "0s start main#0", "0s start main#1", "10s start main#2", "710s start main#3");
  }

  record Case(String policy, int exitCode, Pod.Phase want, int runs) {}

  static final List<Case> POLICIES =
      List.of(
          new Case("Never", 0, Pod.Phase.SUCCEEDED, 1),
          new Case("Never", 3, Pod.Phase.FAILED, 1),
          new Case("OnFailure", 0, Pod.Phase.SUCCEEDED, 1),
          new Case("OnFailure", 3, Pod.Phase.RUNNING, 2),
          new Case("Always", 0, Pod.Phase.RUNNING, 2));

  @ParameterizedTest
  @FieldSource("POLICIES")
  void thePolicyDecidesWhatAnEndMeans(Case c) {
    containers.play("main", Life.ends(1, c.exitCode()));
    create(
        "restartPolicy: %s, containers: [{name: main, image: b, command: [work]}]"
            .formatted(c.policy()));

    pass(3);

    assertThat(pod().phase()).isEqualTo(c.want());
    assertThat(containers.done).hasSize(c.runs());
  }

  @Test
  void initContainersRunInOrderAndSidecarsEndLast() {
    containers.play("one", Life.ends(2, 0));
    containers.play("two", Life.ends(2, 0));
    containers.play("main", Life.ends(3, 0));
    create(
        """
        restartPolicy: Never, initContainers: [
        {name: one, image: b, command: [a]},
        {name: side, image: b, restartPolicy: Always, command: [a]},
        {name: second, image: b, restartPolicy: Always, command: [a]},
        {name: two, image: b, command: [a]}],
        containers: [{name: main, image: b, command: [work]}]
        """);

    pass(1);
    assertThat(pod().phase()).isEqualTo(Pod.Phase.PENDING);
    assertThat(pod().status().message(PodStatus.INITIALIZED))
        .isEqualTo("containers with incomplete status: [one side second two]");
    pass(20);

    assertThat(containers.done)
        .containsExactly(
            "0s start one#0",
            "2s start side#0",
            "2s start second#0",
            "2s start two#0",
            "4s start main#0",
            "7s terminate second#0",
            "7s terminate side#0");
    assertThat(pod().phase()).isEqualTo(Pod.Phase.SUCCEEDED);
  }

  @Test
  void anInitContainerThatFailsForGoodFailsThePod() {
    containers.play("one", Life.ends(2, 4));
    create(
        "restartPolicy: Never, initContainers: [{name: one, image: b, command: [a]}],"
            + " containers: [{name: main, image: b, command: [work]}]");

    pass(3);

    assertThat(pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(containers.done).containsExactly("0s start one#0");
    assertThat(container("main").state())
        .contains(new ContainerState.Waiting("PodInitializing", ""));
  }

  @Test
  void aDeletedPodIsAskedToEndAndThenKilled() {
    containers.play("main", Life.stubborn());
    create(
        "restartPolicy: Always, terminationGracePeriodSeconds: 7,"
            + " containers: [{name: main, image: b, command: [work]}]");
    pass(1);

    cluster.delete(Kinds.POD, pod().object(), Deletion.BACKGROUND);
    pass(6);
    assertThat(pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    pass(2);

    assertThat(cluster.get(POD)).isEmpty();
    assertThat(containers.done).containsExactly("0s start main#0", "8s kill main#0", "forget");
  }

  @Test
  void aDeletedPodIsShownAsEndedBeforeItGoes() {
    create("restartPolicy: Always, containers: [{name: main, image: b, command: [work]}]");
    pass(1);
    cluster.update(Kinds.POD, pod().object().withFinalizer("a.b/held"));

    cluster.delete(Kinds.POD, pod().object(), Deletion.BACKGROUND);
    pass(1);

    assertThat(pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod().graceSeconds()).hasValue(0);
    assertThat(containers.done).contains("1s terminate main#0");
  }

  @Test
  void whatIsToRunBeforeTheEndRunsFirst() {
    containers.play("main.preStop", Life.ends(2, 0));
    create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work],"
            + " lifecycle: {preStop: {exec: {command: [say, bye]}}}}]");
    pass(1);

    cluster.delete(Kinds.POD, pod().object(), Deletion.BACKGROUND);
    pass(5);

    assertThat(containers.done)
        .containsExactly(
            "0s start main#0", "1s start main.preStop#0", "3s terminate main#0", "forget");
    assertThat(containers.launch("main.preStop").command()).containsExactly("say", "bye");
  }

  @Test
  void aPodThatIsActiveForTooLongFails() {
    create(
        "restartPolicy: Always, activeDeadlineSeconds: 20,"
            + " containers: [{name: main, image: b, command: [work]}]");

    pass(21);

    assertThat(pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod().object().status().text("reason")).isEqualTo("DeadlineExceeded");
    assertThat(containers.done).containsExactly("0s start main#0", "20s terminate main#0");
  }

  @Test
  void whatTheMachineLostIsNotStartedTwice() {
    create("restartPolicy: Never, containers: [{name: main, image: b, command: [work]}]");
    pass(1);
    containers.lose(pod().uid());

    cluster.update(Kinds.POD, pod().object().withLabel("look", "again"));
    pass(1);

    assertThat(pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(containers.done).containsExactly("0s start main#0");
    assertThat(container("main").state().orElseThrow())
        .isInstanceOfSatisfying(
            ContainerState.Terminated.class,
            end -> assertThat(end.reason()).isEqualTo("ContainerStatusUnknown"));
  }

  @Test
  void aContainerWaitsForWhatItsEnvironmentNeeds() {
    create(
        "restartPolicy: Never, containers: [{name: main, image: b, command: [say, $(WORD),"
            + " $$(WORD)], env: [{name: WORD, valueFrom: {configMapKeyRef: {name: words, key:"
            + " first}}}]}]");
    pass(1);
    assertThat(container("main").state())
        .contains(
            new ContainerState.Waiting(
                "CreateContainerConfigError", "configmap \"words\" not found"));

    cluster.create(
        Kinds.CONFIG_MAP,
        Worlds.yaml(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: words, namespace: default},"
                + " data: {first: hello}}"));
    pass(6);

    assertThat(containers.launch("main").command()).containsExactly("say", "hello", "$(WORD)");
  }

  @Test
  void aLivenessProbeThatFailsRestartsTheContainer() {
    create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work], livenessProbe:"
            + " {exec: {command: [ask]}, periodSeconds: 5, failureThreshold: 2}}]");
    pass(12);
    assertThat(containers.done).containsExactly("0s start main#0");

    containers.wrong = "no";
    pass(10);

    assertThat(containers.done)
        .containsExactly("0s start main#0", "20s terminate main#0", "20s start main#1");
    assertThat(Worlds.reasons(cluster, "p")).contains("Unhealthy");
  }

  @Test
  void aPodIsReadyOnceItsProbeSaysSo() {
    containers.wrong = "not yet";
    create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work],"
            + " readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}}]");
    pass(7);
    assertThat(pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(pod().isReady()).isFalse();
    assertThat(pod().status().message(PodStatus.READY))
        .isEqualTo("containers with unready status: [main]");

    containers.wrong = "";
    pass(5);

    assertThat(pod().isReady()).isTrue();
  }

  @Test
  void whatAProcessCannotHaveIsRefused() {
    create(
        "restartPolicy: Never, containers: [{name: main, image: b, command: [a], securityContext:"
            + " {privileged: true}}]");

    pass(1);

    assertThat(pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod().status().message())
        .isEqualTo(
            "spec.containers[0].securityContext.privileged: Unsupported value: true: a process gets"
                + " no privileges; run the pod on another node, or leave it out");
    assertThat(containers.done).isEmpty();
    assertThat(Worlds.reasons(cluster, "p")).containsExactly("UnsupportedByLocalNode");
  }

  @Test
  void aHookThatFailsAfterTheStartEndsTheContainer() {
    containers.play("main.postStart", Life.ends(2, 3), Life.ends(2, 0));
    create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work],"
            + " lifecycle: {postStart: {exec: {command: [greet]}}}}]");

    pass(1);
    assertThat(pod().isReady()).isFalse();
    pass(4);

    assertThat(containers.done)
        .containsExactly(
            "0s start main#0",
            "0s start main.postStart#0",
            "2s terminate main#0",
            "2s start main#1",
            "2s start main.postStart#1");
    assertThat(pod().isReady()).isTrue();
    assertThat(Worlds.reasons(cluster, "p")).contains("FailedPostStartHook");
  }

  @Test
  void volumesFollowWhatTheyShow() {
    ApiObject words = cluster.create(Kinds.CONFIG_MAP, words("hello"));
    create(
        "restartPolicy: Always, volumes: [{name: v, configMap: {name: words}}], containers: [{name:"
            + " main, image: b, command: [work], volumeMounts: [{name: v, mountPath: /v}]}]");
    pass(1);
    assertThat(containers.launch("main").mounts().getFirst().readOnly()).isTrue();

    cluster.update(Kinds.CONFIG_MAP, words.with(List.of("data", "first"), "goodbye"));
    pass(1);

    assertThat(refreshed()).isEqualTo("goodbye");
  }

  @Test
  void aVolumeWhoseObjectIsGoneKeepsWhatItShows() {
    ApiObject words = cluster.create(Kinds.CONFIG_MAP, words("hello"));
    create(
        "restartPolicy: Always, volumes: [{name: v, configMap: {name: words}}], containers: [{name:"
            + " main, image: b, command: [work], volumeMounts: [{name: v, mountPath: /v}]}]");
    pass(1);

    cluster.delete(Kinds.CONFIG_MAP, words, Deletion.BACKGROUND);
    pass(1);

    assertThat(containers.refreshed).isEmpty();
    assertThat(pod().phase()).isEqualTo(Pod.Phase.RUNNING);
  }

  private String refreshed() {
    Launch.FileContent file =
        Optional.ofNullable(containers.refreshed.get("v"))
            .map(volume -> volume.files().get("first"))
            .orElseThrow();
    return new String(file.bytes(), StandardCharsets.UTF_8);
  }

  private static ApiObject words(String first) {
    return Worlds.yaml(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: words, namespace: default}, data:"
            + " {first: %s}}".formatted(first));
  }

  @Test
  void lastWordsOfManyContainersAreShortened() {
    containers.lastWords = "x".repeat(4096);
    for (String name : List.of("a", "b", "c", "d")) {
      containers.play(name, Life.ends(1, 1));
    }
    create(
        "restartPolicy: Never, containers: ["
            + "{name: a, image: b, command: [w]}, {name: b, image: b, command: [w]},"
            + "{name: c, image: b, command: [w]}, {name: d, image: b, command: [w]}]");

    pass(2);

    assertThat(container("d").state().orElseThrow())
        .isInstanceOfSatisfying(
            ContainerState.Terminated.class, end -> assertThat(end.message()).hasSize(3072));
  }

  private void create(String spec) {
    ApiObject pod =
        Worlds.yaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: {nodeName:"
                + " local, "
                + spec
                + "}}");
    cluster.create(Kinds.POD, pod);
  }

  private void pass(int seconds) {
    Worlds.pass(driver, cluster, Duration.ofSeconds(seconds));
  }

  private Pod pod() {
    return new Pod(cluster.require(POD));
  }

  private ContainerStatus container(String name) {
    return pod().status().containers().stream()
        .filter(status -> status.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
