package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.FakeContainers.Life;
import dev.sluice.controllers.nodes.local.fields.StopSignals;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.core.pod.Probe.Header;
import dev.sluice.runtime.Deletion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done beside containers: hooks and probes. */
class LocalHooksTest {
  private final LocalWorld world = new LocalWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void preStopHookRunsBeforeTheEnd() {
    world.containers.play("main.preStop", Life.ends(2, 0));
    world.create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work],"
            + " lifecycle: {preStop: {exec: {command: [say, bye]}}}}]");
    world.pass(1);

    world.cluster.delete(Kinds.POD, world.pod().object(), Deletion.BACKGROUND);
    world.pass(5);

    assertThat(world.containers.done)
        .containsExactly(
            "0s start main#0", "1s start main.preStop#0", "3s terminate main#0", "forget");
    assertThat(world.containers.launch("main.preStop").command()).containsExactly("say", "bye");
    assertThat(world.reasons()).containsExactly("Killing", "Started");
  }

  @Test
  void aLivenessProbeThatFailsRestartsTheContainer() {
    world.create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work], livenessProbe:"
            + " {exec: {command: [ask]}, periodSeconds: 5, failureThreshold: 2}}]");
    world.pass(12);
    assertThat(world.containers.done).containsExactly("0s start main#0");

    world.containers.wrong = "no";
    world.pass(10);

    assertThat(world.containers.done)
        .containsExactly("0s start main#0", "20s terminate main#0", "20s start main#1");
    assertThat(world.reasons()).contains("Unhealthy");
  }

  @Test
  void aPodIsReadyOnceItsProbeSaysSo() {
    world.containers.wrong = "not yet";
    world.create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work],"
            + " readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}}]");
    world.pass(7);
    assertThat(world.pod().phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(world.pod().isReady()).isFalse();
    assertThat(world.pod().status().message(PodStatus.READY))
        .isEqualTo("containers with unready status: [main]");

    world.containers.wrong = "";
    world.pass(5);

    assertThat(world.pod().isReady()).isTrue();
  }

  @Test
  void aHookThatFailsAfterTheStartEndsTheContainer() {
    world.containers.play("main.postStart", Life.ends(2, 3), Life.ends(2, 0));
    world.create(
        "restartPolicy: Always, containers: [{name: main, image: b, command: [work],"
            + " lifecycle: {postStart: {exec: {command: [greet]}}}}]");

    world.pass(1);
    assertThat(world.pod().isReady()).isFalse();
    world.pass(4);

    assertThat(world.containers.done)
        .containsExactly(
            "0s start main#0",
            "0s start main.postStart#0",
            "2s terminate main#0",
            "2s start main#1",
            "2s start main.postStart#1");
    assertThat(world.pod().isReady()).isTrue();
    assertThat(world.reasons()).contains("FailedPostStartHook");
  }

  @Test
  void aPageMayBeAskedForAfterTheStartAndBeforeTheEnd() {
    world.containers.play("main.postStart", Life.ends(2, 0));
    world.containers.play("main.preStop", Life.ends(3, 0));
    world.createContainer(
        "ports: [{name: web, containerPort: 8080}], lifecycle: {postStart: {httpGet: {port: web,"
            + " path: hello}}, preStop: {httpGet: {port: 81, host: h, scheme: HTTPS}}}");
    world.pass(5);
    assertThat(world.pod().isReady()).isTrue();

    world.cluster.delete(Kinds.POD, world.pod().object(), Deletion.BACKGROUND);
    world.pass(5);

    assertThat(world.containers.done)
        .containsExactly(
            "0s start main#0",
            "0s call http://127.0.0.1:8080/hello for main.postStart#0",
            "5s call https://h:81/ for main.preStop#0",
            "8s terminate main#0",
            "forget");
  }

  @Test
  void aPageThatCannotBeHadAfterTheStartEndsTheContainer() {
    world.containers.lastWords = "connection refused";
    world.containers.play("main.postStart", Life.ends(1, 1), Life.ends(1, 0));
    world.createContainer("lifecycle: {postStart: {httpGet: {port: 80}}}");
    world.pass(5);

    assertThat(world.containers.done).contains("1s terminate main#0", "1s start main#1");
    assertThat(world.cluster.list(Kinds.EVENT))
        .anyMatch(
            event -> event.tree().text("message").equals("postStart hook: connection refused"));
  }

  @Test
  void aServerIsAskedByTheHealthProtocolOfGrpc() {
    world.createContainer("readinessProbe: {grpc: {port: 9090, service: ready}}");
    world.pass(1);

    assertThat(world.containers.asked)
        .containsExactly(new Containers.Check.Grpc("127.0.0.1", 9090, "ready"));
    assertThat(world.pod().isReady()).isTrue();
  }

  @Test
  void aContainerIsAskedToEndWithTheSignalOfItsChoice() {
    world.createContainer(
        "lifecycle: {stopSignal: SIGINT, preStop: {exec: {command: [say, bye]}}}");
    world.containers.play("main.preStop", Life.ends(1, 0));
    world.pass(1);
    assertThat(world.container("main").tree().text("stopSignal")).isEqualTo("SIGINT");
    world.cluster.delete(Kinds.POD, world.pod().object(), Deletion.BACKGROUND);
    world.pass(1);

    assertThat(world.containers.launch("main").stopSignal()).isEqualTo(2);
    assertThat(world.containers.launch("main.preStop").stopSignal()).isEqualTo(StopSignals.USUAL);
  }

  @Test
  void headersGoWithTheQuestionOfAProbe() {
    world.createContainer(
        "readinessProbe: {httpGet: {port: 80, path: /up, scheme: HTTPS, httpHeaders: [{name: Host,"
            + " value: a.example}]}}");
    world.pass(1);

    assertThat(world.containers.asked)
        .containsExactly(
            new Containers.Check.Http(
                "https://127.0.0.1:80/up", List.of(new Header("Host", "a.example"))));
  }
}
