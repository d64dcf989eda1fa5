package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cli.ControlPlane;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RequiresKubectl;
import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.nodes.KwokConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** KWOK's kinds in a control plane of ours, as kubectl's users see them. */
@RequiresKubectl
@Timeout(120)
class KwokIT {
  private static final KwokConfiguration CONFIGURATION =
      KwokConfiguration.read(
          """
          apiVersion: config.kwok.x-k8s.io/v1alpha1
          kind: KwokConfiguration
          options: {cidr: 10.44.0.0/16}
          ---
          apiVersion: kwok.x-k8s.io/v1alpha1
          kind: ClusterResourceUsage
          metadata: {name: by-label}
          spec:
            selector: {matchNames: [busy]}
            usages:
            - usage:
                cpu: {value: 250m}
                memory: {expression: 'Quantity("64Mi")'}
          """);

  @TempDir private static Path directory;

  private static ControlPlane controlPlane;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() throws IOException {
    var loaded = ConfigurationFile.none(new TreeMap<>(), Configuration.DEFAULT.namespace());
    controlPlane =
        new ControlPlane(
            directory,
            0,
            loaded,
            ControllerSet.EMBEDDED,
            false,
            CONFIGURATION.settings(),
            SchedulerConfiguration.DEFAULT);
    controlPlane.apply(CONFIGURATION.objects());
    kubectl = Kubectl.with(controlPlane.kubeconfig());
    kubectl.apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: fake, annotations: {kwok.x-k8s.io/node: fake}, labels: {type: kwok}}
        status: {allocatable: {cpu: "1", memory: 1Gi}, capacity: {cpu: "1", memory: 1Gi}}
        """);
    for (String pod : new String[] {"busy", "idle"}) {
      kubectl.apply(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: %s, labels: {name: %s}}
          spec: {nodeName: fake, containers: [{name: main, image: busybox}]}
          """
              .formatted(pod, pod));
      eventually("pod/" + pod, "{.status.phase}", "Running");
    }
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  private static void eventually(String object, String path, String want) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> kubectl.run("get", object, "-o", "jsonpath=" + path).output().equals(want));
  }

  @Test
  void kubectlTopShowsWhatIsPretended() {
    assertThat(kubectl.run("top", "nodes", "--no-headers").orFail().strip().split(" +"))
        .containsExactly("fake", "251m", "25%", "65Mi", "6%");
    assertThat(kubectl.run("top", "pods", "--no-headers").orFail().lines())
        .extracting(line -> line.strip().replaceAll(" +", " "))
        .containsExactlyInAnyOrder("busy 250m 64Mi", "idle 1m 1Mi");
    assertThat(kubectl.run("top", "pods", "--no-headers", "-A", "-l", "name=busy").orFail())
        .contains("default")
        .doesNotContain("idle");
    assertThat(kubectl.run("top", "pod", "busy", "--containers", "--no-headers").orFail())
        .contains("main");
  }

  @Test
  void aPageTellsWhatAKubeletWould() {
    assertThat(kubectl.run("get", "--raw", "/metrics/nodes/fake/metrics/resource").orFail())
        .contains(
            "# TYPE node_cpu_usage_seconds_total counter",
            "container_memory_working_set_bytes{container=\"main\",namespace=\"default\",pod=\"busy\"}"
                + " 67108864");
    assertThat(kubectl.run("get", "--raw", "/metrics/nodes/none/metrics/resource").exitCode())
        .isNotZero();
  }

  @Test
  void metricsOfUsersHaveTheirOwnPage() {
    kubectl.apply(
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Metric
        metadata: {name: started}
        spec:
          path: /metrics/nodes/{nodeName}/started
          metrics:
          - name: started
            help: Containers that were started.
            kind: counter
            dimension: node
            labels: [{name: node, value: node.metadata.name}]
            value: node.StartedContainersTotal()
        """);

    assertThat(kubectl.run("get", "--raw", "/metrics/nodes/fake/started").orFail())
        .contains("started{node=\"fake\"} 2");
  }

  @Test
  void wrongMetricsAndUsagesAreRefusedWithTheirField() {
    String metric =
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Metric
        metadata: {name: wrong}
        spec: {path: /metrics/x, metrics: [{name: x, kind: gauge, value: "pod."}]}
        """;

    assertThat(kubectl.runWithInput(metric, "apply", "-f", "-").error())
        .contains("\"wrong\" is invalid: spec.metrics[0].value: Invalid value: \"pod.\"");
    assertThat(kubectl.runWithInput(metric.replace("gauge", "summary"), "apply", "-f", "-").error())
        .contains("spec.metrics[0].kind: Unsupported value: \"summary\"");
  }

  @Test
  void stagesLeadKindsOfUsersAndBringAboutOtherObjects() {
    kubectl.apply(
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: claim-bind}
        spec:
          resourceRef: {apiGroup: zoo.example/v1, kind: Claim}
          selector: {matchExpressions: [{key: .status.phase, operator: NotIn, values: [Bound]}]}
          steps:
          - event: {type: Normal, reason: Provisioned, message: there it is}
          - apply:
              template: |
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: volume-of-{{ .metadata.name }}, namespace: {{ .metadata.namespace }}}
                data: {size: {{ .spec.size | Quote }}}
          - patch: {subresource: status, root: status, template: 'phase: Bound'}
        """);
    kubectl.apply(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: claims.zoo.example}
        spec:
          group: zoo.example
          scope: Namespaced
          names: {kind: Claim, listKind: ClaimList, plural: claims, singular: claim}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """);
    kubectl.apply(
        """
        apiVersion: zoo.example/v1
        kind: Claim
        metadata: {name: c}
        spec: {size: 5Gi}
        """);

    eventually("claim/c", "{.status.phase}", "Bound");
    eventually("configmap/volume-of-c", "{.data.size}", "5Gi");
    assertThat(kubectl.run("get", "events").orFail()).contains("Provisioned");
    assertThat(
            kubectl
                .run("get", "configmap", "volume-of-c", "--show-managed-fields", "-o", "yaml")
                .orFail())
        .contains("operation: Apply");
  }

  @Test
  void addressesComeFromTheFilesRange() {
    assertThat(kubectl.read("pod/busy", "{.status.podIP}")).startsWith("10.44.");
  }
}
