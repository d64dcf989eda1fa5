package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.Kubectl;
import dev.sluice.testkit.RealKubernetes;
import dev.sluice.testkit.RequiresKubernetes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The manager as it is installed: as its own account, with its webhooks, and not alone. */
@Timeout(120)
@RequiresKubernetes
class ManagerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final Kubectl kubectl;
  private final RealKubernetes kubernetes;

  @TempDir private Path folder;

  /** Every test has a queue of its own. */
  private final String queue;

  ManagerIT(RealKubernetes kubernetes, TestInfo test) {
    this.queue = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    this.kubernetes = kubernetes;
    this.kubectl = kubernetes.kubectl();
  }

  @BeforeEach
  void install() {
    kubectl.run("apply", "-k", SluiceProcess.repository().resolve("deploy").toString()).orFail();
    kubectl.runWithInput(queues(), "apply", "-f", "-").orFail();
  }

  @Test
  void theInstallationGivesTheManagerAllItNeeds() throws IOException, InterruptedException {
    int port = freePort();
    try (SluiceProcess sluice = manager("--health-address", "127.0.0.1:" + port)) {
      assertThat(sluice.readyLine()).contains("Sluice manages the queues of");
      assertThat(ready(port)).isEqualTo("ok");

      awaitWebhooks();
      kubectl.runWithInput(job("first"), "apply", "-f", "-").orFail();

      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(suspended("first")).isEqualTo("false"));
      SluiceProcess.Ended ended = sluice.terminate();
      assertThat(ended.exitCode()).isZero();
      assertThat(ended.errors().lines().filter(line -> line.contains("forbidden")))
          .allMatch(line ->
              line.contains("does not install anything")
                  || line.contains("the visibility API is not registered"));
    }

    // Nobody is left to answer, and nobody is asked.
    kubectl.runWithInput(job("unmanaged"), "apply", "-f", "-").orFail();
    assertThat(suspended("unmanaged")).isEqualTo("false");
  }

  @Test
  void theInstallationLetsTheManagerShowWhoWaits() {
    String home = "kueue-system";
    for (String version : List.of("v1beta1", "v1beta2")) {
      String service = "apiservices/" + version + ".visibility.kueue.x-k8s.io";
      assertMay(home, "get", service);
      assertMay(home, "update", service);
    }
    assertMay(home, "create", "subjectaccessreviews.authorization.k8s.io");
    assertMay("kube-system", "get", "configmaps/extension-apiserver-authentication");
    assertMay(home, "update", "secrets/sluice-visibility-server-cert");
    // An API that nobody serves yet must not get into anybody's way.
    assertThat(kubectl.run("api-resources").exitCode()).isZero();
  }

  private void assertMay(String namespace, String verb, String what) {
    String account = "--as=system:serviceaccount:kueue-system:sluice-manager";
    assertThat(kubectl.run("auth", "can-i", verb, what, "-n", namespace, account).output())
        .as("%s %s in %s", verb, what, namespace)
        .startsWith("yes");
  }

  @Test
  void theNextManagerGoesOnWhereTheLastOneEnded() throws IOException {
    try (SluiceProcess first = manager();
        SluiceProcess second = started(first)) {
      awaitWebhooks();
      kubectl.runWithInput(job("runs"), "apply", "-f", "-").orFail();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(suspended("runs")).isEqualTo("false"));
      kubectl.runWithInput(job("waits"), "apply", "-f", "-").orFail();
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(pending()).isEqualTo("1"));
      String decided = admission("runs");

      assertThat(first.terminate().exitCode()).isZero();
      assertThat(second.readyLine()).contains("Sluice manages the queues of");

      assertThat(suspended("waits")).isEqualTo("true");
      assertThat(admission("runs")).isNotEmpty().isEqualTo(decided);
      kubectl.run("delete", "job", "runs").orFail();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(suspended("waits")).isEqualTo("false"));
      assertThat(second.terminate().exitCode()).isZero();
    }
  }

  /** A second manager, which stands by once the first one leads. */
  private SluiceProcess started(SluiceProcess first) throws IOException {
    assertThat(first.readyLine()).contains("Sluice manages the queues of");
    SluiceProcess second = manager();
    assertThat(second.readyLine()).contains("Sluice stands by");
    return second;
  }

  private SluiceProcess manager(String... more) throws IOException {
    var arguments =
        new ArrayList<>(List.of("manager", "--kubeconfig", accountKubeconfig().toString()));
    arguments.addAll(List.of(more));
    return SluiceProcess.start(arguments.toArray(String[]::new));
  }

  /** How the account of the installation reaches the server. */
  private Path accountKubeconfig() throws IOException {
    String token =
        kubectl.run("create", "token", "sluice-manager", "-n", "kueue-system").orFail().strip();
    String administrator = Files.readString(kubernetes.kubeconfig());
    return Files.writeString(
        folder.resolve("kubeconfig"),
        administrator.replaceAll("token: .*", "token: \"" + token + "\""));
  }

  /** A server takes about a second until it asks webhooks that were just registered. */
  private void awaitWebhooks() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    kubectl
                        .runWithInput(
                            job("probe"),
                            "create",
                            "--dry-run=server",
                            "-o",
                            "jsonpath={.spec.suspend}",
                            "-f",
                            "-")
                        .orFail())
                .isEqualTo("true"));
  }

  private String suspended(String job) {
    return kubectl.run("get", "job", job, "-o", "jsonpath={.spec.suspend}").orFail();
  }

  private String pending() {
    return kubectl
        .run("get", "clusterqueue", queue, "-o", "jsonpath={.status.pendingWorkloads}")
        .orFail();
  }

  /** The admission of a job's workload with the time at which it was made. */
  private String admission(String job) {
    String owned = "{range .items[?(@.metadata.ownerReferences[0].name==\"" + job + "\")]}";
    String when = "{.status.conditions[?(@.type==\"QuotaReserved\")].lastTransitionTime}";
    return kubectl
        .run(
            "get",
            "workloads",
            "-o",
            "jsonpath=" + owned + "{.metadata.uid}{.status.admission}" + when + "{end}")
        .orFail();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String ready(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  private String queues() {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ResourceFlavor
    metadata: {name: plain}
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: %1$s}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors:
        - name: plain
          resources: [{name: cpu, nominalQuota: "1"}]
    ---
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: %1$s, namespace: default}
    spec: {clusterQueue: %1$s}
    """
        .formatted(queue);
  }

  private String job(String name) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: none
            resources: {requests: {cpu: "1"}}
    """
        .formatted(name, queue);
  }
}
