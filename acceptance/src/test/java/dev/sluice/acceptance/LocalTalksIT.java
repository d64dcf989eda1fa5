package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RequiresKubectl;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What people do with pods that run: the real kubectl against the real command. */
@Timeout(180)
@RequiresKubectl
@EnabledOnOs(OS.LINUX)
class LocalTalksIT {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: talks}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: main
          image: busybox
          command: [sleep, "1000"]
          env: [{name: WORD, value: hello}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: two}
      spec:
        restartPolicy: Never
        containers:
        - name: a
          image: busybox
          command: [sh, -c, "for i in 1 2 3; do echo a$i; done; echo why; exit 3"]
          terminationMessagePolicy: FallbackToLogsOnError
        - {name: b, image: busybox, command: [sh, -c, "echo b1; sleep 1; echo b2"]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: simulated}
      spec:
        nodeName: simulated-0-0
        containers: [{name: main, image: busybox, command: [sleep, "1000"]}]
      """;

  @TempDir private static Path directory;
  private static SluiceProcess sluice;

  @BeforeAll
  static void start() {
    sluice = SluiceProcess.up(directory, "--simulated-nodes", "1");
    sluice.readyLine();
    // The simulated node is tainted, so that only pods that name it get there.
    kubectl().apply(POD);
    kubectl().run("wait", "--for=condition=Ready", "--timeout=30s", "pod/talks").orFail();
  }

  @AfterAll
  static void stop() {
    sluice.close();
  }

  @Test
  void commandsRunBesideAContainer() {
    assertThat(kubectl().run("exec", "talks", "--", "sh", "-c", "echo $WORD").orFail())
        .isEqualTo("hello\n");
    assertThat(kubectl().runWithInput("typed", "exec", "-i", "talks", "--", "cat").orFail())
        .isEqualTo("typed");
    Kubectl.Result failed = kubectl().run("exec", "talks", "--", "sh", "-c", "exit 7");
    assertThat(failed.exitCode()).isEqualTo(7);
    assertThat(failed.error()).contains("command terminated with exit code 7");
    assertThat(kubectl().run("exec", "talks", "--", "no-such-program").error())
        .contains("executable file not found");
  }

  @Test
  void filesAreCopied() throws IOException {
    Path source = Files.writeString(directory.resolve("source"), "content");
    Path there = directory.resolve("there");
    Path back = directory.resolve("back");

    kubectl().run("cp", source.toString(), "talks:" + there).orFail();
    kubectl().run("cp", "talks:" + there, back.toString()).orFail();

    assertThat(back).hasContent("content");
  }

  @Test
  void aPodThatReadsItsInputIsTalkedTo() {
    String[] command = {
      "run", "reads", "-i", "--restart=Never", "--image=b", "--command", "--", "cat"
    };

    assertThat(kubectl().runWithInput("some words", command).orFail()).contains("some words");
  }

  @Test
  void logsAreReadInEveryWay() {
    assertThat(kubectl().run("logs", "-f", "two", "-c", "b").orFail()).isEqualTo("b1\nb2\n");
    assertThat(kubectl().run("logs", "two", "-c", "a", "--tail=2").orFail()).endsWith("why\n");
    assertThat(kubectl().run("logs", "two", "-c", "a", "--limit-bytes=2").orFail()).isEqualTo("a1");
    assertThat(kubectl().run("logs", "two", "--all-containers", "--prefix").orFail())
        .contains("[pod/two/a] a1", "[pod/two/b] b1");
    assertThat(kubectl().run("logs", "two", "-c", "b", "--timestamps", "--since=1h").orFail())
        .containsPattern("(?m)^20\\d\\d-\\S+Z b1$");
    String path = "-o=jsonpath={.status.containerStatuses[0].state.terminated.message}";
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> kubectl().run("get", "pod", "two", path).orFail().contains("why"));
  }

  @Test
  void portsOfAPodAreForwarded() throws Exception {
    int port = freePort();
    Files.writeString(directory.resolve("page"), "served");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    kubectl()
        .run(
            "run",
            "serves",
            "--image=b",
            "--command",
            "--",
            java,
            "-m",
            "jdk.httpserver",
            "-p",
            Integer.toString(port),
            "-d",
            directory.toString())
        .orFail();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> kubectl().run("logs", "serves").output().contains("Serving"));
    try (var forwarding = kubectl().start("port-forward", "serves", ":" + port)) {
      String first = forwarding.line();
      int local = Integer.parseInt(first.replaceFirst(".*127.0.0.1:(\\d+) ->.*", "$1"));
      assertThat(page(local)).isEqualTo("served");
      assertThat(page(local)).as("again").isEqualTo("served");
    }
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static String page(int port) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/page".formatted(port))).build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  @Test
  void whatRunsHereUsesSomething() {
    assertThat(kubectl().run("top", "pod", "talks", "--no-headers").orFail())
        .matches("talks +\\d+m +\\d+Mi *\n");
    assertThat(kubectl().run("top", "node", "local", "--no-headers").orFail())
        .matches("local +\\d+m +\\d+% +\\d+Mi +\\d+% *\n");
  }

  @Test
  void whereNothingRunsNobodyTalks() {
    assertThat(kubectl().run("exec", "simulated", "--", "ls").error())
        .contains("node simulated-0-0 only pretends to run pods");
    assertThat(kubectl().run("port-forward", "simulated", ":80").error())
        .contains("node simulated-0-0 only pretends to run pods");
    assertThat(kubectl().run("debug", "talks", "--image=b").error())
        .contains("kubectl exec runs a command beside a container");
  }

  private static Kubectl kubectl() {
    return Kubectl.with(directory.resolve("kubeconfig"));
  }
}
