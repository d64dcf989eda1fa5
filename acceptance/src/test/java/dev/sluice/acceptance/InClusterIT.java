package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.KubernetesBinaries;
import dev.sluice.conformance.LocalNetwork;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
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
  private static final String HOME = "kueue-system";
  private static final String WEBHOOK_SECRET = "sluice-webhook-server-cert";
  private static final String API_SECRET = "sluice-visibility-server-cert";

  @TempDir private Path folder;

  private Kubectl kubectl;
  private QueueInCluster queue;

  @Test
  void allIsReachedThroughServicesBeforeAndAfterTheCertificatesChange() throws IOException {
    // API servers find the endpoints of a Service themselves where no proxy does it for them.
    List<String> routing = List.of("--enable-aggregator-routing=true");
    try (var kubernetes = RealKubernetes.start(KubernetesBinaries.find().orElseThrow(), routing)) {
      kubectl = kubernetes.kubectl();
      queue = new QueueInCluster(kubectl, "inside");
      var installation = Installation.into(kubernetes, folder);
      int webhooks = LocalNetwork.freePort();
      int visibility = LocalNetwork.freePort();
      int metrics = LocalNetwork.freePort();
      lead("sluice-webhook-service", "webhooks", webhooks);
      lead("sluice-visibility-server", "visibility", visibility);

      try (SluiceProcess sluice =
          installation.pod(
              "--config=" + configuration(),
              "--webhook-port=" + webhooks,
              "--visibility-port=" + visibility,
              "--metrics-address=127.0.0.1:" + metrics,
              "--metrics-auth")) {
        sluice.awaitLine("Sluice manages the queues of");
        queue.open(1, ", cohortName: all");
        everythingAnswers();
        metricsAreForCallersThatMayReadThem(metrics);
        certificatesChange(webhooks, visibility);
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
        .untilAsserted(
            () -> assertThat(kubectl.run("get", "--raw", PENDING).orFail()).contains("job-waits-"));
  }

  private void metricsAreForCallersThatMayReadThem(int port) {
    kubectl.run("create", "serviceaccount", "scraper").orFail();
    String token = kubectl.run("create", "token", "scraper").orFail().strip();

    assertThat(metrics(port, "").statusCode()).isEqualTo(401);
    assertThat(metrics(port, "Bearer " + token + "x").statusCode()).isEqualTo(401);
    HttpResponse<String> refused = metrics(port, "Bearer " + token);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body())
        .contains("\"system:serviceaccount:default:scraper\" cannot get path \"/metrics\"");

    String binding = "--clusterrole=sluice-metrics-reader";
    kubectl
        .run("create", "clusterrolebinding", "s", binding, "--serviceaccount=default:scraper")
        .orFail();
    await()
        .atMost(QueueInCluster.PATIENCE)
        .untilAsserted(
            () -> assertThat(metrics(port, "Bearer " + token).body()).contains("sluice_leads 1"));
  }

  private static HttpResponse<String> metrics(int port, String authorization) {
    var request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/metrics"));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try (HttpClient client = HttpClient.newBuilder().sslContext(credulous()).build()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (GeneralSecurityException | IOException | InterruptedException failed) {
      throw new IllegalStateException("the metrics do not answer", failed);
    }
  }

  private static SSLContext credulous() throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Credulous()}, null);
    return context;
  }

  /** After the Secrets are deleted there are new ones, and no call fails in the meantime. */
  private void certificatesChange(int webhooks, int visibility) {
    List<String> before = List.of(shown(webhooks), shown(visibility));
    for (String secret : List.of(WEBHOOK_SECRET, API_SECRET)) {
      kubectl.run("delete", "secret", secret, "-n", HOME).orFail();
    }
    var failures = new ArrayList<String>();
    await()
        .atMost(QueueInCluster.PATIENCE.multipliedBy(2))
        .until(() -> {
          Kubectl.Result asked = probe();
          if (!asked.output().equals("true")) {
            failures.add(asked.toString());
          }
          return shown(webhooks).equals(kept(WEBHOOK_SECRET))
              && shown(visibility).equals(kept(API_SECRET));
        });
    assertThat(failures).isEmpty();
    assertThat(List.of(shown(webhooks), shown(visibility))).doesNotContainAnyElementsOf(before);
  }

  /** The certificate in a Secret, in Base64; empty if there is none. */
  private String kept(String secret) {
    String encoded =
        kubectl
            .run("get", "secret", secret, "-n", HOME, "-o", "jsonpath={.data.tls\\.crt}")
            .output();
    String pem = new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
    return pem.replaceAll("-----[A-Z ]+-----|\\s", "");
  }

  /** The certificate that a server of this machine shows, in Base64. */
  private static String shown(int port) {
    try {
      var context = credulous();
      var address = InetAddress.getLoopbackAddress();
      try (var socket = (SSLSocket) context.getSocketFactory().createSocket(address, port)) {
        socket.startHandshake();
        byte[] certificate = socket.getSession().getPeerCertificates()[0].getEncoded();
        return Base64.getEncoder().encodeToString(certificate);
      }
    } catch (GeneralSecurityException | IOException failed) {
      throw new IllegalStateException("port %d shows no certificate".formatted(port), failed);
    }
  }

  /** Trusts every certificate: only the one that is shown is of interest. */
  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String by) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String by) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
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
  private void lead(String service, String port, int number) {
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
  private static String ownAddress() {
    Optional<String> address = LocalNetwork.address();
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
}
