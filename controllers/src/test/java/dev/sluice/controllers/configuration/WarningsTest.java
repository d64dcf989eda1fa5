package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The warnings about fields without effect. */
class WarningsTest {

  record Case(String yaml, List<String> want) {
    @Override
    public String toString() {
      return yaml;
    }
  }

  private static Case warns(String yaml, String... want) {
    return new Case(yaml, List.of(want));
  }

  static final List<Case> V1BETA2 =
      List.of(
          warns("colour: red", "colour: has no effect: there is no such field"),
          warns(
              "waitForPodReady: {}",
              "waitForPodReady: has no effect: there is no such field; did you mean"
                  + " waitForPodsReady?"),
          warns(
              "waitForPodsReady: {timeOut: 5m}",
              "waitForPodsReady.timeOut: has no effect: there is no such field; did you mean"
                  + " timeout?"),
          warns(
              "resources: {transformations: [{input: a, output: {x: 1}}]}",
              "resources.transformations[0].output: has no effect: there is no such field; did you"
                  + " mean outputs?"),
          warns(
              "waitForPodsReady: {enable: true}",
              "waitForPodsReady.enable: has no effect: there is no such field"),
          warns(
              "queueVisibility: {updateIntervalSeconds: 5}",
              "queueVisibility: has no effect: there is no such field"),
          warns(
              "pprofBindAddress: ':8083'",
              "pprofBindAddress: has no effect: Sluice serves no pprof; use a profiler for Java"),
          warns(
              "controller: {groupKindConcurrency: {Job.batch: 5}, cacheSyncTimeout: 1}",
              "controller.groupKindConcurrency: has no effect: Sluice decides on one thread",
              "controller.cacheSyncTimeout: has no effect: Sluice waits as long as it takes"),
          warns(
              "tls: {curvePreferences: [X25519]}",
              "tls.curvePreferences: has no effect: Java chooses the curves"),
          warns(
              "tls: {minVersion: VersionTLS13, cipherSuites: [TLS_AES_128_GCM_SHA256]}",
              "tls.cipherSuites: has no effect: they are for TLS 1.2; those of TLS 1.3 are all"
                  + " allowed"),
          warns(
              "tls: {minVersion: VersionTLS13}\nfeatureGates: {TLSOptions: false}",
              "tls.minVersion: has no effect: the gate TLSOptions is false"),
          warns(
              "webhook: {certDir: /certs}",
              "webhook.certDir: has no effect: internalCertManagement.enable is true"),
          warns(
              "internalCertManagement: {enable: false, webhookSecretName: mine}",
              "internalCertManagement.webhookSecretName: has no effect: enable is false"),
          warns(
              "metrics: {customLabels: [{name: team}]}",
              "metrics.customLabels: has no effect: the gate CustomMetricLabels is false"),
          warns(
              "multiKueue: {gcInterval: 1m, dispatcher: x}",
              "multiKueue.gcInterval: has no effect: MultiKueue is not part of Sluice yet",
              "multiKueue.dispatcher: has no effect: there is no such field"),
          warns(
              "resources: {deviceClassMappings: [{name: gpu}]}",
              "resources.deviceClassMappings: has no effect: dynamic resource allocation is not"
                  + " part of Sluice yet"),
          warns(
              "integrations: {frameworks: [batch/job, ray.io/rayjob]}",
              "integrations.frameworks[1]: ray.io/rayjob has no effect: Sluice does not queue this"
                  + " kind yet"),
          warns(
              "{waitForPodsReady: {timeout: 1m}, featureGates: {DisableWaitForPodsReady: true}}",
              "waitForPodsReady.timeout: has no effect: the gate DisableWaitForPodsReady is true"),
          warns(
              "{admissionFairSharing: {}, featureGates: {AdmissionFairSharing: false}}",
              "admissionFairSharing: has no effect: the gate AdmissionFairSharing is false"),
          warns(
              "{resources: {quotaCheckStrategy: IgnoreUndeclared}, featureGates:"
                  + " {QuotaCheckStrategy: false}}",
              "resources.quotaCheckStrategy: has no effect: the gate QuotaCheckStrategy is false"),
          warns(
              "{metrics: {localQueueMetrics: {enable: true}}, featureGates: {LocalQueueMetrics:"
                  + " false}}",
              "metrics.localQueueMetrics: has no effect: the gate LocalQueueMetrics is false"),
          warns(
              "{visibilityServer: {bindPort: 1}, featureGates: {VisibilityOnDemand: false}}",
              "visibilityServer.bindPort: has no effect: the gate VisibilityOnDemand is false"),
          warns(
              "featureGates: {HierarchicalCohorts: false}",
              "featureGates.HierarchicalCohorts: has no effect: it cannot be false any more; remove"
                  + " it"),
          warns("featureGates: {HierarchicalCohorts: true}"),
          warns(
              "featureGates: {MultiKueueAllowInsecureKubeconfigs: true}",
              "featureGates.MultiKueueAllowInsecureKubeconfigs: has no effect: it cannot be true;"
                  + " remove it"),
          warns(
              "featureGates: {TopologyAwareScheduling: true}",
              "featureGates.TopologyAwareScheduling: has no effect: topology-aware scheduling is"
                  + " not part of Sluice yet"),
          warns(
              "featureGates: {KueueDRAIntegration: true}",
              "featureGates.KueueDRAIntegration: has no effect: dynamic resource allocation is not"
                  + " part of Sluice yet"),
          warns(
              "featureGates: {VectorizedResourceRequests: false}",
              "featureGates.VectorizedResourceRequests: has no effect: it chooses between two ways"
                  + " of which Sluice has one"),
          warns(
              "featureGates: {PartialAdmision: true}",
              "featureGates.PartialAdmision: has no effect: there is no such gate; did you mean"
                  + " PartialAdmission?"));

  @ParameterizedTest
  @FieldSource("V1BETA2")
  void fieldWithoutEffectCausesAWarning(Case c) {
    String head = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
    String yaml =
        c.yaml().startsWith("{")
            ? "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, "
                + c.yaml().substring(1)
            : head + c.yaml();

    assertThat(read(yaml).warnings()).isEqualTo(c.want());
  }

  static final List<Case> V1BETA1 =
      List.of(
          warns(
              "integrations: {podOptions: {namespaceSelector: {}}}",
              "integrations.podOptions: has no effect: use managedJobsNamespaceSelector instead"),
          warns(
              "queueVisibility: {updateIntervalSeconds: 5}",
              "queueVisibility: has no effect: ask the visibility API instead"),
          warns(
              "waitForPodsReady: {timeout: 1m}",
              "waitForPodsReady.timeout: has no effect: enable is not true"),
          warns(
              "fairSharing: {preemptionStrategies: [LessThanInitialShare]}",
              "fairSharing.preemptionStrategies: has no effect: enable is not true"));

  @ParameterizedTest
  @FieldSource("V1BETA1")
  void fieldOfTheOlderVersionCausesAWarning(Case c) {
    assertThat(read(Files.v1beta1(c.yaml())).warnings()).isEqualTo(c.want());
  }

  /** A setting for each server of a manager, and two about metrics. */
  private static final String MANAGER_SECTIONS =
      """
      leaderElection: {leaderElect: false}
      webhook: {port: 9}
      health: {livenessEndpointName: l}
      clientConnection: {qps: 9}
      internalCertManagement: {enable: false}
      visibilityServer: {bindPort: 9}
      tls: {minVersion: VersionTLS13}
      metrics: {bindAddress: ":9", enableClusterQueueResources: true}
      """;

  private static List<String> warnings(Purpose purpose) {
    return ConfigurationFile.read(
            Files.v1beta2(MANAGER_SECTIONS), new TreeMap<>(), "kueue-system", purpose)
        .warnings();
  }

  @Test
  void managerSettingCausesAWarningElsewhere() {
    String ofManagers = " has no effect: it is for sluice manager";
    List<String> elsewhere =
        Stream.of(
                "leaderElection",
                "webhook",
                "health",
                "clientConnection",
                "internalCertManagement",
                "visibilityServer",
                "tls")
            .map(section -> section + ":" + ofManagers)
            .toList();

    assertThat(warnings(Purpose.MANAGER)).isEmpty();
    assertThat(warnings(Purpose.CONTROL_PLANE))
        .startsWith(elsewhere.toArray(String[]::new))
        .endsWith("metrics.bindAddress: has no effect: the API server serves them, at /metrics")
        .hasSize(8);
    assertThat(warnings(Purpose.SIMULATION))
        .startsWith(elsewhere.toArray(String[]::new))
        .endsWith("metrics: has no effect: a simulation has no metrics")
        .hasSize(8);
  }

  @Test
  void gateOfTheCommandLineCausesAWarning() {
    var gates = new TreeMap<String, Boolean>();
    gates.put("MultiKueue", true);

    assertThat(ConfigurationFile.none(gates, "kueue-system").warnings())
        .containsExactly(
            "--feature-gates MultiKueue: has no effect: MultiKueue is not part of Sluice yet");
  }

  @Test
  void gatesHaveDistinctNames() {
    for (Gate gate : Gate.values()) {
      assertThat(GateNames.WITHOUT_EFFECT).doesNotContainKey(gate.word());
      assertThat(GateNames.ALWAYS_ON).doesNotContain(gate.word());
    }
    assertThat(GateNames.WITHOUT_EFFECT)
        .doesNotContainKeys(GateNames.ALWAYS_ON.toArray(String[]::new));
  }

  @Test
  void completeFileOfAnInstallationIsRead() {
    var loaded =
        read(
            Files.v1beta2(
                """
                health: {healthProbeBindAddress: ":8081"}
                metrics: {bindAddress: ":8443", enableClusterQueueResources: true}
                webhook: {port: 9443}
                leaderElection: {leaderElect: true, resourceName: c1f6bfd2.kueue.x-k8s.io}
                controller:
                  groupKindConcurrency: {Job.batch: 5, Pod: 5, Workload.kueue.x-k8s.io: 10}
                clientConnection: {qps: 50, burst: 100}
                integrations:
                  frameworks: [batch/job, pod, ray.io/rayservice]
                managedJobsNamespaceSelector:
                  matchExpressions:
                  - key: kubernetes.io/metadata.name
                    operator: NotIn
                    values: [kube-system, kueue-system]
                """));

    assertThat(loaded.warnings())
        .containsExactly(
            "integrations.frameworks[2]: ray.io/rayservice has no effect: Sluice does not"
                + " queue this kind yet",
            "controller.groupKindConcurrency: has no effect: Sluice decides on one thread");
    assertThat(loaded.manager().metrics().clusterQueueResources()).isTrue();
    assertThat(loaded.configuration().frameworks()).contains("pod");
  }
}
