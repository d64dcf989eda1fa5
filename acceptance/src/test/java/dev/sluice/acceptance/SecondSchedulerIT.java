package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.LocalNetwork;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The manager as a second scheduler beside kube-scheduler, as the installation's account. */
@Timeout(120)
@RequiresKubernetes(RealKubernetes.Part.SCHEDULER)
class SecondSchedulerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String NAME = "sluice-batch";

  private final RealKubernetes kubernetes;
  private final Kubectl kubectl;
  @TempDir private Path folder;

  SecondSchedulerIT(RealKubernetes kubernetes) {
    this.kubernetes = kubernetes;
    this.kubectl = kubernetes.kubectl();
  }

  @Test
  void eachSchedulerBindsItsOwnPodsAndOfTwoManagersOneDoes()
      throws IOException, InterruptedException {
    Installation installation = install();
    int first = LocalNetwork.freePort();
    int second = LocalNetwork.freePort();
    try (SluiceProcess leader = manager(installation, first)) {
      assertThat(leader.readyLine()).contains("Sluice manages");
      try (SluiceProcess follower = manager(installation, second)) {
        assertThat(follower.readyLine()).contains("Sluice stands by");
        pod("theirs", "default-scheduler", "1");
        pod("ours", NAME, "1");
        pod("nobodys", "somebody-else", "1");
        pod("too-big", NAME, "100");

        awaitNode("theirs");
        awaitNode("ours");
        assertThat(schedulers("theirs")).isEqualTo("default-scheduler");
        assertThat(schedulers("ours")).isEqualTo(NAME);
        await()
            .atMost(PATIENCE)
            .untilAsserted(() ->
                assertThat(condition("too-big"))
                    .startsWith("0/1 nodes are available: 1 Insufficient cpu."));
        assertThat(node("nobodys")).isEmpty();
        assertThat(metrics(first))
            .contains("scheduler_schedule_attempts_total{profile=\"%s\",".formatted(NAME))
            .contains("scheduler_pending_pods{queue=\"unschedulable\"} 1.0");
        assertThat(metrics(second)).doesNotContain("scheduler_");

        assertThat(leader.terminate().exitCode()).isZero();
        assertThat(follower.readyLine()).contains("Sluice manages");
        pod("late", NAME, "1");
        awaitNode("late");
        assertThat(schedulers("late")).isEqualTo(NAME);
        assertThat(follower.terminate().errors().lines().filter(line -> line.contains("forbidden")))
            .allMatch(line -> line.contains("may not install anything"));
      }
    }
  }

  private Installation install() {
    var installation = Installation.into(kubernetes, folder);
    Path more = SluiceProcess.repository().resolve("deploy/second-scheduler.yaml");
    kubectl.run("apply", "-f", more.toString()).orFail();
    kubectl.apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: only}
        status: {allocatable: {cpu: 8, memory: 8Gi, pods: 20}}
        """);
    // No kubelet would ever report that it is ready.
    kubectl.run("taint", "node", "only", "node.kubernetes.io/not-ready-").orFail();
    return installation;
  }

  private static SluiceProcess manager(Installation installation, int metrics) {
    return installation.manager(
        "--controllers",
        "scheduling",
        "--scheduler-name",
        NAME,
        "--no-webhooks",
        "--metrics-address",
        "127.0.0.1:" + metrics);
  }

  private void pod(String name, String scheduler, String cpu) {
    kubectl.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          schedulerName: %s
          containers: [{name: main, image: none, resources: {requests: {cpu: "%s"}}}]
        """
            .formatted(name, scheduler, cpu));
  }

  private void awaitNode(String pod) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(node(pod)).isEqualTo("only"));
  }

  private String node(String pod) {
    return kubectl.read("pod/" + pod, "{.spec.nodeName}");
  }

  private String condition(String pod) {
    return kubectl.read("pod/" + pod, "{.status.conditions[?(@.type==\"PodScheduled\")].message}");
  }

  /** Who said that it bound the pod, once for each that did. */
  private String schedulers(String pod) {
    var told = new StringBuilder();
    await()
        .atMost(PATIENCE)
        .until(() -> {
          told.setLength(0);
          told.append(
              kubectl
                  .run(
                      "get",
                      "events",
                      "--field-selector",
                      "involvedObject.name=%s,reason=Scheduled".formatted(pod),
                      "-o",
                      "jsonpath={.items[*]['reportingComponent']}")
                  .orFail()
                  .strip());
          return !told.isEmpty();
        });
    return told.toString();
  }

  private static String metrics(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
