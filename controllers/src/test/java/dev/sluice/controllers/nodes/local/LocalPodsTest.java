package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.FakeContainers.Life;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.ContainerState;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Deletion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The lives of pods: starts and restarts, order, deletion and ends. */
class LocalPodsTest {
  private final LocalWorld world = new LocalWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aPodRunsToItsEnd() {
    world.containers.play("main", Life.ends(5, 0));
    world.create("restartPolicy: Never, containers: [{name: main, image: b, command: [work]}]");

    world.pass(1);
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(world.pod().isReady()).isTrue();
    world.pass(5);
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.SUCCEEDED);
    assertThat(world.pod().isReady()).isFalse();
    assertThat(world.pod().status().reason(PodStatus.READY)).isEqualTo("PodCompleted");
    assertThat(world.container("main").state().orElseThrow())
        .isInstanceOfSatisfying(
            ContainerState.Terminated.class,
            end -> assertThat(end.reason()).isEqualTo("Completed"));
  }

  @Test
  void conditionsTellHowFarAPodIs() {
    world.containers.play("init", Life.ends(2, 0));
    world.containers.play("main", Life.ends(2, 3));
    world.create(
        "restartPolicy: Never, readinessGates: [{conditionType: a/gate}], initContainers: [{name:"
            + " init, image: b, command: [a]}], containers: [{name: main, image: b, command:"
            + " [work]}]");
    world.pass(1);
    assertThat(conditions())
        .containsExactly(
            "PodReadyToStartContainers True ",
            "Initialized False ContainersNotInitialized",
            "ContainersReady False ContainersNotReady",
            "Ready False ContainersNotReady");

    world.pass(2);
    assertThat(conditions())
        .containsExactly(
            "PodReadyToStartContainers True ",
            "Initialized True ",
            "ContainersReady True ",
            "Ready False ReadinessGatesNotReady");

    world.pass(2);
    assertThat(conditions())
        .containsExactly(
            "PodReadyToStartContainers False ",
            "Initialized True ",
            "ContainersReady False PodFailed",
            "Ready False PodFailed");
    assertThat(world.pod().object().status().trees("conditions"))
        .allMatch(condition -> condition.whole("observedGeneration").isPresent());
  }

  private List<String> conditions() {
    return world.pod().object().status().trees("conditions").stream()
        .map(condition ->
            "%s %s %s"
                .formatted(
                    condition.text("type"), condition.text("status"), condition.text("reason")))
        .toList();
  }

  @Test
  void restartsBackOffFrom10sTo5Minutes() {
    world.containers.play("main", Life.ends(0, 1));
    world.create("restartPolicy: OnFailure, containers: [{name: main, image: b, command: [work]}]");

    world.pass(1200);

    assertThat(world.containers.done)
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
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(world.container("main").restarts()).isEqualTo(8);
    assertThat(world.container("main").state())
        .contains(
            new ContainerState.Waiting(
                "CrashLoopBackOff",
                "back-off 5m0s restarting failed container=main pod=p_default(%s)"
                    .formatted(world.pod().uid())));
  }

  @Test
  void aLongRunForgivesEarlierFailures() {
    world.containers.play(
        "main", Life.ends(0, 1), Life.ends(0, 1), Life.ends(700, 1), Life.ends(0, 1));
    world.create("restartPolicy: Always, containers: [{name: main, image: b, command: [work]}]");

    world.pass(715);

    assertThat(world.containers.done)
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
    world.containers.play("main", Life.ends(1, c.exitCode()));
    world.create(
        "restartPolicy: %s, containers: [{name: main, image: b, command: [work]}]"
            .formatted(c.policy()));

    world.pass(3);

    assertThat(world.pod().phase()).isEqualTo(c.want());
    assertThat(world.containers.done).hasSize(c.runs());
  }

  @Test
  void initContainersRunInOrderAndSidecarsEndLast() {
    world.containers.play("one", Life.ends(2, 0));
    world.containers.play("two", Life.ends(2, 0));
    world.containers.play("main", Life.ends(3, 0));
    world.create(
        """
        restartPolicy: Never, initContainers: [
        {name: one, image: b, command: [a]},
        {name: side, image: b, restartPolicy: Always, command: [a]},
        {name: second, image: b, restartPolicy: Always, command: [a]},
        {name: two, image: b, command: [a]}],
        containers: [{name: main, image: b, command: [work]}]
        """);

    world.pass(1);
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.PENDING);
    assertThat(world.pod().status().message(PodStatus.INITIALIZED))
        .isEqualTo("containers with incomplete status: [one side second two]");
    world.pass(20);

    assertThat(world.containers.done)
        .containsExactly(
            "0s start one#0",
            "2s start side#0",
            "2s start second#0",
            "2s start two#0",
            "4s start main#0",
            "7s terminate second#0",
            "7s terminate side#0");
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.SUCCEEDED);
  }

  @Test
  void anInitContainerThatFailsForGoodFailsThePod() {
    world.containers.play("one", Life.ends(2, 4));
    world.create(
        "restartPolicy: Never, initContainers: [{name: one, image: b, command: [a]}],"
            + " containers: [{name: main, image: b, command: [work]}]");

    world.pass(3);

    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(world.containers.done).containsExactly("0s start one#0");
    assertThat(world.container("main").state())
        .contains(new ContainerState.Waiting("PodInitializing", ""));
  }

  @Test
  void aDeletedPodIsAskedToEndAndThenKilled() {
    world.containers.play("main", Life.stubborn());
    world.create(
        "restartPolicy: Always, terminationGracePeriodSeconds: 7,"
            + " containers: [{name: main, image: b, command: [work]}]");
    world.pass(1);

    world.cluster.delete(Kinds.POD, world.pod().object(), Deletion.BACKGROUND);
    world.pass(6);
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    world.pass(2);

    assertThat(world.cluster.get(LocalWorld.POD)).isEmpty();
    assertThat(world.containers.done)
        .containsExactly("0s start main#0", "8s kill main#0", "forget");
  }

  @Test
  void aDeletedPodIsShownAsEndedBeforeItGoes() {
    world.create("restartPolicy: Always, containers: [{name: main, image: b, command: [work]}]");
    world.pass(1);
    world.cluster.update(Kinds.POD, world.pod().object().withFinalizer("a.b/held"));

    world.cluster.delete(Kinds.POD, world.pod().object(), Deletion.BACKGROUND);
    world.pass(1);

    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(world.pod().graceSeconds()).hasValue(0);
    assertThat(world.containers.done).contains("1s terminate main#0");
  }

  @Test
  void aPodThatIsActiveForTooLongFails() {
    world.create(
        "restartPolicy: Always, activeDeadlineSeconds: 20,"
            + " containers: [{name: main, image: b, command: [work]}]");

    world.pass(21);

    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(world.pod().object().status().text("reason")).isEqualTo("DeadlineExceeded");
    assertThat(world.containers.done).containsExactly("0s start main#0", "20s terminate main#0");
  }

  @Test
  void whatTheMachineLostIsNotStartedTwice() {
    world.create("restartPolicy: Never, containers: [{name: main, image: b, command: [work]}]");
    world.pass(1);
    world.containers.lose(world.pod().uid());

    world.cluster.update(Kinds.POD, world.pod().object().withLabel("look", "again"));
    world.pass(1);

    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(world.containers.done).containsExactly("0s start main#0");
    assertThat(world.container("main").state().orElseThrow())
        .isInstanceOfSatisfying(
            ContainerState.Terminated.class,
            end -> assertThat(end.reason()).isEqualTo("ContainerStatusUnknown"));
  }

  @Test
  void whatAProcessCannotHaveIsRefused() {
    world.create(
        "restartPolicy: Never, containers: [{name: main, image: b, command: [a], securityContext:"
            + " {privileged: true}}]");

    world.pass(1);

    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(world.pod().status().message())
        .isEqualTo(
            "spec.containers[0].securityContext.privileged: Unsupported value: true: a process gets"
                + " no privileges; run the pod on another node, or leave it out");
    assertThat(world.containers.done).isEmpty();
    assertThat(world.reasons()).containsExactly("UnsupportedByLocalNode");
  }

  @Test
  void lastWordsOfManyContainersAreShortened() {
    world.containers.lastWords = "x".repeat(4096);
    for (String name : List.of("a", "b", "c", "d")) {
      world.containers.play(name, Life.ends(1, 1));
    }
    world.create(
        "restartPolicy: Never, containers: ["
            + "{name: a, image: b, command: [w]}, {name: b, image: b, command: [w]},"
            + "{name: c, image: b, command: [w]}, {name: d, image: b, command: [w]}]");

    world.pass(2);

    assertThat(world.container("d").state().orElseThrow())
        .isInstanceOfSatisfying(
            ContainerState.Terminated.class, end -> assertThat(end.message()).hasSize(3072));
  }
}
