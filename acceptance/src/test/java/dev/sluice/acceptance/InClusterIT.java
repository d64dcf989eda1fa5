package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.Kubectl;
import dev.sluice.testkit.KubernetesBinaries;
import dev.sluice.testkit.RealKubernetes;
import dev.sluice.testkit.RequiresKubernetes;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manager as the installation runs it: a pod's account, reached through Services, with
 * certificates in Secrets. There is no kubelet, so the process runs beside the cluster, and the
 * Services find it by EndpointSlices as they would find a pod.
 */
@Timeout(240)
@RequiresKubernetes
class InClusterIT {
  private static final String PENDING =
      "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/inside/pendingworkloads";
  private static final String WEBHOOK_SECRET = "secret/sluice-webhook-server-cert";
  private static final String API_SECRET = "secret/sluice-visibility-server-cert";

  @TempDir private Path folder;

  private Kubectl kubectl;
  private QueueInCluster queue;

  @Test
  void allIsReachedThroughServicesBeforeAndAfterTheCertificatesChange() throws IOException {
    // API servers find the endpoints of a Service themselves where no proxy does it for them.
    List<String> routing = List.of("--enable-aggregator-routing=true");
    try (var kubernetes =
        RealKubernetes.start(KubernetesBinaries.find().orElseThrow(), routing)) {
      kubectl = kubernetes.kubectl();
      queue = new QueueInCluster(kubectl, "inside");
      var installation = Installation.into(kubernetes, folder);
      int webhooks = freePort();
      int visibility = freePort();
      lead("sluice-webhook-service", "webhooks", webhooks);
      lead("sluice-visibility-server", "visibility", visibility);

      try (SluiceProcess sluice =
          installation.pod(
              "--config=" + configuration(),
              "--webhook-port=" + webhooks,
              "--visibility-port=" + visibility)) {
        sluice.awaitLine("Sluice manages the queues of");
        queue.open(1, ", cohortName: all");
        everythingAnswers();
        certificatesChange();
        everythingAnswers();

        SluiceProcess.Ended ended = sluice.terminate();
        assertThat(ended.exitCode()).as(ended.errors()).isZero();
        assertThat(ended.errors()).doesNotContainIgnoringCase("forbidden");
      }

      // There are other replicas, or will be: until then nothing slips past the queues.
      assertThat(probe().error()).contains("failed calling webhook");
    }
  }

  /** Webhooks, the conversion and the visibility API. */
  private void everythingAnswers() {
    queue.awaitWebhooks();
    assertThat(
            queue.read(
                "mutatingwebhookconfiguration/sluice-mutating-webhook-configuration",
                "{.webhooks[*].clientConfig.service.name}{.webhooks[*].clientConfig.url}"))
        .contains("sluice-webhook-service")
        .doesNotContain("https");
    assertThat(queue.read("clusterqueues.v1beta1.kueue.x-k8s.io/inside", "{.spec.cohort}"))
        .isEqualTo("all");
    queue.submit("runs");
    queue.awaitStarted("runs");
    queue.submit("waits");
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(() ->
            assertThat(kubectl.run("get", "--raw", PENDING).orFail()).contains("job-waits-"));
  }

  /** Somebody deletes the Secrets: then there are new ones, and no call fails meanwhile. */
  private void certificatesChange() {
    List<String> secrets = List.of(WEBHOOK_SECRET, API_SECRET);
    List<String> before = secrets.stream().map(this::certificate).toList();
    String trusted = trusted();
    secrets.forEach(secret -> kubectl.run("delete", secret, "-n", "kueue-system").orFail());
    var failures = new ArrayList<String>();
    await()
        .atMost(QueueInCluster.PATIENCE.multipliedBy(2))
        .until(() -> {
          Kubectl.Result asked = probe();
          if (!asked.output().equals("true")) {
            failures.add(asked.toString());
          }
          return !trusted().equals(trusted) && isPresent(WEBHOOK_SECRET) && isPresent(API_SECRET);
        });
    // What is trusted from now on is shown a few seconds later.
    for (int i = 0; i < 20; i++) {
      Kubectl.Result asked = probe();
      if (!asked.output().equals("true")) {
        failures.add(asked.toString());
      }
    }
    assertThat(failures).isEmpty();
    assertThat(secrets.stream().map(this::certificate).toList()).doesNotContainAnyElementsOf(before);
  }

  private boolean isPresent(String secret) {
    return kubectl.run("get", secret, "-n", "kueue-system").exitCode() == 0;
  }

  private String certificate(String secret) {
    return kubectl
        .run("get", secret, "-n", "kueue-system", "-o", "jsonpath={.data.tls\\.crt}")
        .orFail();
  }

  private String trusted() {
    return queue.read(
        "mutatingwebhookconfiguration/sluice-mutating-webhook-configuration",
        "{.webhooks[0].clientConfig.caBundle}");
  }

  /** Says whether a new job would be suspended. */
  private Kubectl.Result probe() {
    return kubectl.runWithInput(
        """
        {apiVersion: batch/v1, kind: Job, metadata: {name: probe, namespace: default, labels: {
          kueue.x-k8s.io/queue-name: inside}}, spec: {template: {spec: {restartPolicy: Never,
           containers: [{name: main, image: none}]}}}}
        """,
        "create",
        "--dry-run=server",
        "-o",
        "jsonpath={.spec.suspend}",
        "-f",
        "-");
  }

  /** Lets a Service lead to a port of this machine. */
  private void lead(String service, String port, int number) throws IOException {
    queue.apply(
        """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata:
          name: %1$s
          namespace: kueue-system
          labels: {kubernetes.io/service-name: %1$s}
        addressType: IPv4
        endpoints:
        - {addresses: ["%2$s"], conditions: {ready: true}}
        ports:
        - {name: %3$s, port: %4$d, protocol: TCP}
        """
            .formatted(service, ownAddress(), port, number));
  }

  /** An address of this machine that others could use; endpoints on loopback are refused. */
  private static String ownAddress() throws IOException {
    Optional<String> address =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(one -> one instanceof Inet4Address)
            .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
            .map(one -> one.getHostAddress())
            .findFirst();
    Assumptions.assumeTrue(address.isPresent(), "this machine has no address but loopback");
    return address.get();
  }

  /** What the installation says, but for the ports that are not asked here. */
  private Path configuration() throws IOException {
    Path installed = SluiceProcess.repository().resolve("deploy/controller_manager_config.yaml");
    return Files.writeString(
        folder.resolve("configuration.yaml"),
        Files.readString(installed)
            + "\nmetrics: {bindAddress: \"0\"}\nhealth: {healthProbeBindAddress: \"0\"}\n");
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
