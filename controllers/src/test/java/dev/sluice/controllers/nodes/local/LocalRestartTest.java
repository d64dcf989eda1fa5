package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.FakeContainers.Life;
import dev.sluice.model.core.pod.Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that begin anew because one of their containers says so. */
class LocalRestartTest {
  private static final String RULE =
      "restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: In, values:"
          + " [42]}}]";
  private static final String POD =
      "restartPolicy: Never, terminationGracePeriodSeconds: 5, initContainers: [{name: init, image:"
          + " b, command: [prepare]}, {name: side, image: b, command: [serve], restartPolicy:"
          + " Always}], containers: [{name: main, image: b, command: [work], restartPolicy: Never, "
          + RULE
          + "}, {name: other, image: b, command: [work], lifecycle: {preStop: {exec: {command:"
          + " [say, bye]}}}}]";

  private final LocalWorld world = new LocalWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void allContainersBeginAnewWithoutTheirHooks() {
    world.containers.play("init", Life.ends(1, 0));
    world.containers.play("main", Life.ends(3, 42), Life.ends(3, 0));
    world.containers.play("other", Life.endless(), Life.ends(2, 0));
    world.create(POD);

    world.pass(20);

    assertThat(world.containers.done)
        .containsExactly(
            "0s start init#0",
            "1s start side#0",
            "1s start main#0",
            "1s start other#0",
            "4s terminate side#0",
            "4s terminate other#0",
            "4s start init#1",
            "5s start side#1",
            "5s start main#1",
            "5s start other#1",
            "8s terminate side#1");
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.SUCCEEDED);
    assertThat(world.container("main").restarts()).isEqualTo(1);
    assertThat(world.container("other").restarts()).isEqualTo(1);
    assertThat(world.pod().status().reason("AllContainersRestarting")).isEqualTo("PodCompleted");
  }

  @Test
  void containerThatDoesNotEndIsKilledBeforeTheRestart() {
    world.containers.play("init", Life.ends(1, 0));
    world.containers.play("main", Life.ends(3, 42), Life.endless());
    world.containers.play("other", Life.stubborn());
    world.create(POD);

    world.pass(6);
    assertThat(world.pod().status().holds("AllContainersRestarting")).isTrue();
    assertThat(world.containers.done).doesNotContain("6s start init#1");
    world.pass(6);

    assertThat(world.containers.done)
        .containsSubsequence("9s kill other#0", "9s start init#1", "10s start main#1");
    assertThat(world.pod().status().holds("AllContainersRestarting")).isFalse();
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.RUNNING);
  }

  @Test
  void theOneWhoKeepsCausingItBacksOffForAll() {
    world.containers.play("init", Life.ends(1, 0));
    world.containers.play("main", Life.ends(1, 42));
    world.create(POD);

    world.pass(20);

    assertThat(world.containers.done)
        .containsSubsequence(
            "0s start init#0", "2s start init#1", "3s start main#1", "14s start init#2")
        .doesNotContain("4s start init#2");
  }

  @Test
  void otherEndsMeanWhatTheyAlwaysDo() {
    world.containers.play("init", Life.ends(1, 0));
    world.containers.play("main", Life.ends(1, 7));
    world.containers.play("other", Life.ends(1, 0));
    world.create(POD);

    world.pass(20);

    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(world.containers.done).doesNotContain("2s start init#1");
  }

  @Test
  void aPodWithoutSuchRulesSaysNothingOfThem() {
    world.createContainer("tty: false");
    world.pass(1);

    assertThat(world.pod().object().status().toString()).doesNotContain("AllContainersRestarting");
  }
}
