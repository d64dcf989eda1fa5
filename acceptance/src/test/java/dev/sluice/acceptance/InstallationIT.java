package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.LocalNetwork;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The installation lets the manager do all that it does, and nothing that it does not. */
@Timeout(180)
@RequiresKubernetes
class InstallationIT {
  private static final String HOME = "kueue-system";

  /** What only a manager outside of the cluster tries, to install or register itself. */
  private static final Set<String> TRIED_FROM_OUTSIDE =
      Set.of("customresourcedefinitions", "endpoints", "endpointslices", "services");

  private final RealKubernetes kubernetes;
  private final Kubectl kubectl;
  private final QueueInCluster queue;

  @TempDir private Path folder;
  private Installation installation;

  InstallationIT(RealKubernetes kubernetes) {
    this.kubernetes = kubernetes;
    this.kubectl = kubernetes.kubectl();
    this.queue = new QueueInCluster(kubectl, "installed");
  }

  @BeforeEach
  void install() {
    installation = Installation.into(kubernetes, folder);
  }

  @Test
  void theManagerIsNeverRefusedAnything() throws IOException, InterruptedException {
    queue.open(4, "");
    int port = LocalNetwork.freePort();
    try (SluiceProcess sluice =
        installation.manager(
            "--health-address", "127.0.0.1:" + port, "--config", configuration().toString())) {
      awaitReady(port);
      assertWebhooksAreRegistered();
      assertThat(sluice.readyLine()).contains("Sluice manages the queues of");
      queue.awaitWebhooks();

      aPodIsLostWithItsNode();
      aJobRunsForTooLongAndIsDeleted();
      podsAreUngatedAndAGroupLosesItsWorkload();
      // A second installation, or one of a newer version, does not disturb a running manager.
      Installation.into(kubernetes, folder);
      assertThat(queue.read("crd/workloads.kueue.x-k8s.io", "{.spec.conversion.strategy}"))
          .isEqualTo("Webhook");
      queue.awaitWebhooks();
      theLostPodIsEnded();

      SluiceProcess.Ended ended = sluice.terminate();
      assertThat(ended.exitCode()).isZero();
      assertThat(ended.errors().lines().filter(line -> line.contains("forbidden")))
          .allMatch(line -> TRIED_FROM_OUTSIDE.stream().anyMatch(line::contains));
    }
    assertThat(refused()).isSubsetOf(TRIED_FROM_OUTSIDE);

    // No manager is left to answer, and no webhook is called.
    queue.submit("unmanaged");
    assertThat(queue.suspended("unmanaged")).isEqualTo("false");
  }

  private void aPodIsLostWithItsNode() {
    queue.apply(
        """
        {apiVersion: v1, kind: Node, metadata: {name: lost}, spec: {taints: [
          {key: node.kubernetes.io/unreachable, effect: NoExecute}]}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: stuck, namespace: default, annotations: {
          kueue.x-k8s.io/safe-to-forcefully-delete: "true"}}, spec: {nodeName: lost,
          terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}}
        """);
    kubectl.run("delete", "pod", "stuck", "--wait=false").orFail();
  }

  private void theLostPodIsEnded() {
    await()
        .atMost(QueueInCluster.PATIENCE.plusSeconds(30))
        .untilAsserted(
            () -> assertThat(kubectl.run("get", "pod", "stuck").error()).contains("not found"));
    assertThat(kubectl.read("events", "{.items[?(@.involvedObject.name==\"stuck\")].reason}"))
        .isEqualTo("KueueForcefullyDeleted");
  }

  private void aJobRunsForTooLongAndIsDeleted() {
    queue.submit("short", ", kueue.x-k8s.io/max-exec-time-seconds: \"1\"");
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(
            () -> assertThat(kubectl.run("get", "job", "short").error()).contains("not found"));
  }

  private void podsAreUngatedAndAGroupLosesItsWorkload() {
    List<String> pods = List.of("alone", "left", "right");
    queue.apply(pod("alone", "", ""));
    for (String member : List.of("left", "right")) {
      queue.apply(
          pod(
              member,
              ", kueue.x-k8s.io/pod-group-name: pair",
              "kueue.x-k8s.io/pod-group-total-count: \"2\""));
    }
    for (String pod : pods) {
      await()
          .atMost(QueueInCluster.PATIENCE)
          .untilAsserted(() ->
              assertThat(queue.read("pod/" + pod, "{.spec.schedulingGates}{.metadata.finalizers}"))
                  .isEqualTo("[\"kueue.x-k8s.io/managed\"]"));
    }

    kubectl.run("delete", "workload", "pair", "--wait=false").orFail();
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() ->
            assertThat(kubectl.run("get", "pods", "-o", "name").orFail().lines())
                .contains("pod/alone")
                .doesNotContain("pod/left", "pod/right"));
  }

  private static String pod(String name, String labels, String annotations) {
    return """
    {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default, labels: {
      kueue.x-k8s.io/queue-name: installed%s}, annotations: {%s}}, spec: {restartPolicy: Never,
      containers: [{name: main, image: none, resources: {requests: {cpu: "1"}}}]}}
    """
        .formatted(name, labels, annotations);
  }

  /** The kinds of which any request was refused since the server started. */
  private Set<String> refused() {
    var refused = new TreeSet<String>();
    Pattern.compile(
            "^apiserver_request_total\\{code=\"403\".*resource=\"([^\"]*)\"", Pattern.MULTILINE)
        .matcher(kubectl.run("get", "--raw", "/metrics").orFail())
        .results()
        .forEach(found -> refused.add(found.group(1)));
    return refused;
  }

  @Test
  void theManagerMayShowWhoWaits() {
    for (String version : List.of("v1beta1", "v1beta2")) {
      String service = "apiservices/" + version + ".visibility.kueue.x-k8s.io";
      assertThat(may(HOME, "get", service)).isTrue();
      assertThat(may(HOME, "update", service)).isTrue();
    }
    assertThat(may(HOME, "create", "subjectaccessreviews.authorization.k8s.io")).isTrue();
    assertThat(may("kube-system", "get", "configmaps/extension-apiserver-authentication")).isTrue();
    assertThat(may(HOME, "update", "secrets/sluice-visibility-server-cert")).isTrue();
    // An API that is not served yet must not disturb other requests.
    assertThat(kubectl.run("api-resources").exitCode()).isZero();
  }

  @Test
  void theManagerMayNotTakeOverTheCluster() {
    assertThat(may(HOME, "get", "secrets")).isFalse();
    assertThat(may("default", "list", "secrets")).isFalse();
    assertThat(may("default", "create", "pods")).isFalse();
    assertThat(may("default", "create", "jobs.batch")).isFalse();
    assertThat(may("default", "create", "pods/exec")).isFalse();
    assertThat(may(HOME, "update", "clusterroles.rbac.authorization.k8s.io")).isFalse();
    assertThat(may(HOME, "create", "mutatingwebhookconfigurations.admissionregistration.k8s.io"))
        .isFalse();
    assertThat(may(HOME, "update", "mutatingwebhookconfigurations/of-somebody-else")).isFalse();
    assertThat(may(HOME, "delete", "clusterqueues.kueue.x-k8s.io")).isFalse();
    assertThat(may(HOME, "impersonate", "users")).isFalse();
  }

  private boolean may(String namespace, String verb, String what) {
    String account = "--as=system:serviceaccount:kueue-system:sluice-manager";
    return kubectl
        .run("auth", "can-i", verb, what, "-n", namespace, account)
        .output()
        .startsWith("yes");
  }

  /** What makes the manager delete jobs, and pods that are stuck. */
  private Path configuration() throws IOException {
    return Files.writeString(
        folder.resolve("configuration.yaml"),
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        metrics: {bindAddress: "0"}
        integrations: {frameworks: [batch/job, pod]}
        featureGates: {FailureRecoveryPolicy: true}
        objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 0s}}
        """);
  }

  private static void awaitReady(int port) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      await()
          .atMost(QueueInCluster.PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .ignoreException(ConnectException.class)
          .until(
              () -> client.send(request, HttpResponse.BodyHandlers.ofString()).body(),
              "ok"::equals);
    }
  }

  /** A pod that is created as soon as the manager is ready must get its gate. */
  private void assertWebhooksAreRegistered() {
    for (String letter : List.of("mutating", "validating")) {
      String configuration =
          letter + "webhookconfiguration/sluice-" + letter + "-webhook-configuration";
      assertThat(kubectl.read(configuration, "{.webhooks[*].name}")).contains("pod.sluice.dev");
    }
  }
}
