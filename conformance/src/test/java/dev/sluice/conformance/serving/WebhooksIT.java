package dev.sluice.conformance.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.LocalWebhooks;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.runtime.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hooks and conversions behind a real API server, and kubectl in front of it. */
@RequiresKubernetes
@Timeout(60)
class WebhooksIT {
  private final Kubectl kubectl;
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final Webhooks webhooks;

  WebhooksIT(RealKubernetes kubernetes) {
    this.kubectl = kubernetes.kubectl();
    this.cluster = RealCluster.of(kubernetes.kubeconfig(), time);
    this.webhooks =
        new Webhooks(
            cluster.uncached(),
            LocalWebhooks.settings(
                List.of(SampleHooks.JOBS, SampleHooks.LOCKS),
                SampleHooks::convert,
                List.of("locks.test.sluice.dev")),
            time);
  }

  @BeforeEach
  void register() {
    new CrdInstaller(cluster, Duration.ofSeconds(30)).install(List.of(SampleHooks.definition()));
    webhooks.serve();
    webhooks.register();
    // The server takes about a second to call new webhooks.
    Eventually.holds(
        "the webhooks are asked", () -> dryRun(job("probe", "parallelism: 7")).exitCode() != 0);
    Eventually.holds(
        "the conversion is asked",
        () -> applied(lock("v1alpha1", "probe", "span: 1"), "--dry-run=server").exitCode() == 0);
  }

  @AfterEach
  void close() {
    kubectl.run("delete", "mutatingwebhookconfigurations,validatingwebhookconfigurations", "--all");
    kubectl.run(
        "patch",
        "crd/locks.test.sluice.dev",
        "--type=merge",
        "-p",
        "{\"spec\": {\"conversion\": {\"strategy\": \"None\", \"webhook\": null}}}");
    webhooks.close();
    cluster.close();
    time.close();
  }

  @Test
  void aHookCompletesWhatKubectlCreates() {
    applied(job("queued", "parallelism: 2")).orFail();

    assertThat(kubectl.read("job/queued", "{.spec.suspend}")).isEqualTo("true");
  }

  @Test
  void aHookRefusesInItsOwnWords() {
    Kubectl.Result refused = applied(job("seven", "parallelism: 7"));

    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.error())
        .contains("Job \"seven\" is invalid: spec.parallelism: Invalid value: 7")
        .contains("six or eight are fine");

    applied(job("changed", "parallelism: 2")).orFail();
    Kubectl.Result update =
        kubectl.run(
            "patch", "job", "changed", "--type=merge", "-p", "{\"spec\": {\"parallelism\": 7}}");
    assertThat(update.error()).contains("six or eight are fine");
  }

  @Test
  void theOwnNamespaceOfTheClusterIsLeftAlone() {
    applied(job("system", "parallelism: 7"), "-n", "kube-system").orFail();
  }

  @Test
  void aHookLooksAtTheStatus() {
    applied(lock("v1", "rising", "width: 1")).orFail();
    status("lock/rising", 5).orFail();

    assertThat(status("lock/rising", 4).error()).contains("status.level: Forbidden: must not sink");
    status("lock/rising", 6).orFail();
  }

  /** The server converts what it shows to a hook, so no version is a way around it. */
  @Test
  void aHookLooksAtWritesInAnOlderVersion() {
    applied(lock("v1alpha1", "older", "span: 1")).orFail();
    status("locks.v1alpha1.test.sluice.dev/older", 5).orFail();

    assertThat(status("locks.v1alpha1.test.sluice.dev/older", 4).error())
        .contains("status.level: Forbidden: must not sink");
  }

  @Test
  void anObjectIsReadInTheVersionThatIsAskedFor() {
    applied(lock("v1alpha1", "old", "span: 3")).orFail();

    assertThat(kubectl.read("locks.v1.test.sluice.dev/old", "{.spec}")).isEqualTo("{\"width\":3}");
    assertThat(kubectl.read("locks.v1alpha1.test.sluice.dev/old", "{.spec}"))
        .isEqualTo("{\"span\":3}");
  }

  @Test
  void stoppedManagerRemovesItsRegistration() {
    webhooks.unregister();

    assertThat(kubectl.run("get", "mutatingwebhookconfigurations", "-o", "name").orFail())
        .isEmpty();
    assertThat(kubectl.run("get", "validatingwebhookconfigurations", "-o", "name").orFail())
        .isEmpty();
    assertThat(kubectl.read("crd/locks.test.sluice.dev", "{.spec.conversion}"))
        .isEqualTo("{\"strategy\":\"None\"}");
  }

  /** As if the manager had been killed: what it registered is still there. */
  @Test
  void crashedManagerDoesNotBlockWrites() {
    webhooks.close();

    applied(job("orphan", "parallelism: 7")).orFail();
    applied(lock("v1", "orphan", "width: 1")).orFail();
    kubectl.run("delete", "job/orphan", "lock/orphan").orFail();
  }

  @Test
  void registeringAgainChangesNothing() {
    String before = revisions();

    webhooks.register();

    assertThat(revisions()).isEqualTo(before);
  }

  private String revisions() {
    return kubectl.read(
        "mutatingwebhookconfigurations,validatingwebhookconfigurations,crds",
        "{.items[*].metadata.resourceVersion}");
  }

  private Kubectl.Result status(String lock, int level) {
    return kubectl.run(
        "patch",
        lock,
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\": {\"level\": " + level + "}}");
  }

  private Kubectl.Result dryRun(String yaml) {
    return applied(yaml, "--dry-run=server");
  }

  private Kubectl.Result applied(String yaml, String... options) {
    var arguments = new ArrayList<>(List.of("apply", "-f", "-"));
    arguments.addAll(List.of(options));
    return kubectl.runWithInput(yaml, arguments.toArray(String[]::new));
  }

  private static String lock(String version, String name, String spec) {
    return "{apiVersion: test.sluice.dev/%s, kind: Lock, metadata: {name: %s}, spec: {%s}}"
        .formatted(version, name, spec);
  }

  private static String job(String name, String spec) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, labels: {%s: main}}
    spec:
      %s
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: none}]}
    """
        .formatted(name, SampleHooks.QUEUE, spec);
  }
}
