package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.serving.HostAndPort;
import dev.sluice.kubernetes.serving.TlsPolicy;
import dev.sluice.kubernetes.serving.WebhookAddress;
import dev.sluice.kubernetes.serving.Webhooks;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.RealTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hooks and conversions behind a real API server, and kubectl in front of it. */
@RequiresKubernetes
@Timeout(60)
class WebhooksIT {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final ResourceKind LOCK =
      new ResourceKind("test.sluice.dev", "v1", "Lock", "locks", true);
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: locks.test.sluice.dev}
      spec:
        group: test.sluice.dev
        scope: Namespaced
        names: {kind: Lock, plural: locks, singular: lock}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
        - name: v1alpha1
          served: true
          storage: false
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  /** A queued job is suspended; a job must not ask for seven pods, now or later. */
  private static final AdmissionHook JOBS =
      new AdmissionHook() {
        @Override
        public ResourceKind kind() {
          return Kinds.JOB;
        }

        @Override
        public ApiObject onCreate(ApiObject job) {
          return job.label(QUEUE).isEmpty() ? job : job.with(List.of("spec", "suspend"), true);
        }

        @Override
        public void checkCreate(ApiObject job) {
          if (job.spec().whole("parallelism").orElse(1) == 7) {
            var cause = Cause.invalid("spec.parallelism", 7, "six or eight are fine");
            throw ApiFailure.invalid(Kinds.JOB, job.name(), List.of(cause));
          }
        }

        @Override
        public void checkUpdate(ApiObject before, ApiObject after) {
          checkCreate(after);
        }
      };

  /** The status of a lock may only grow. */
  private static final AdmissionHook LOCKS =
      new AdmissionHook() {
        @Override
        public ResourceKind kind() {
          return LOCK;
        }

        @Override
        public void checkStatus(ApiObject before, ApiObject after) {
          if (after.status().whole("level").orElse(0) < before.status().whole("level").orElse(0)) {
            var cause = Cause.forbidden("status.level", "must not sink");
            throw ApiFailure.invalid(LOCK, after.name(), List.of(cause));
          }
        }
      };

  private final Kubectl kubectl;
  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final Webhooks webhooks;

  WebhooksIT(RealKubernetes kubernetes) {
    this.kubectl = kubernetes.kubectl();
    this.cluster =
        new KubernetesCluster(
            Connection.kubeconfig(kubernetes.kubeconfig()), time, new SplittableRandom(1));
    this.webhooks =
        new Webhooks(
            cluster.uncached(),
            new Webhooks.Settings(
                "sluice",
                new HostAndPort("127.0.0.1", 0),
                TlsPolicy.NORMAL,
                new WebhookAddress.Url(URI.create("https://127.0.0.1")),
                new Webhooks.Certificates.Made(Webhooks.SECRET),
                "kueue-system",
                List.of(JOBS, LOCKS),
                WebhooksIT::convert,
                List.of("locks.test.sluice.dev")),
            time);
  }

  /** The older version calls the width a span. */
  private static ApiObject convert(ApiObject object, String version) {
    boolean toOld = version.endsWith("v1alpha1");
    String from = toOld ? "width" : "span";
    String to = toOld ? "span" : "width";
    return object
        .with(List.of("apiVersion"), version)
        .with(List.of("spec", to), object.spec().at(from))
        .without(List.of("spec", from));
  }

  @BeforeEach
  void register() {
    new CrdInstaller(cluster, Duration.ofSeconds(30))
        .install(List.of(ApiObject.of(Yaml.parseAll(DEFINITION).getFirst())));
    webhooks.serve();
    webhooks.register();
    // The server takes about a second to ask those who were registered.
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

    assertThat(read("job/queued", "{.spec.suspend}")).isEqualTo("true");
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

    assertThat(read("locks.v1.test.sluice.dev/old", "{.spec}")).isEqualTo("{\"width\":3}");
    assertThat(read("locks.v1alpha1.test.sluice.dev/old", "{.spec}")).isEqualTo("{\"span\":3}");
  }

  @Test
  void whoeverLeavesTakesItsRegistrationAlong() {
    webhooks.unregister();

    assertThat(kubectl.run("get", "mutatingwebhookconfigurations", "-o", "name").orFail())
        .isEmpty();
    assertThat(kubectl.run("get", "validatingwebhookconfigurations", "-o", "name").orFail())
        .isEmpty();
    assertThat(read("crd/locks.test.sluice.dev", "{.spec.conversion}"))
        .isEqualTo("{\"strategy\":\"None\"}");
  }

  /** As if the manager had been killed: what it registered is still there. */
  @Test
  void whoeverIsGoneDoesNotKeepOthersFromWriting() {
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
    return kubectl
        .run(
            "get",
            "mutatingwebhookconfigurations,validatingwebhookconfigurations,crds",
            "-o",
            "jsonpath={.items[*].metadata.resourceVersion}")
        .orFail();
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
    var arguments = new java.util.ArrayList<>(List.of("apply", "-f", "-"));
    arguments.addAll(List.of(options));
    return kubectl.runWithInput(yaml, arguments.toArray(String[]::new));
  }

  private String read(String object, String path) {
    return kubectl.run("get", object, "-o", "jsonpath=" + path).orFail();
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
        .formatted(name, QUEUE, spec);
  }
}
