package dev.sluice.controllers.configuration;

import static dev.sluice.controllers.configuration.Files.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile.Loaded;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every field and every gate of Kueue's Configuration has an effect or causes a warning. */
class EveryFieldTest {

  /** A value other than the default for each field of Kueue's v1beta2. */
  static final List<String> FIELDS =
      List.of(
          "namespace: elsewhere",
          "webhook: {port: 9444}",
          "webhook: {host: localhost}",
          "webhook: {certDir: /certs}",
          "metrics: {bindAddress: ':9090'}",
          "metrics: {enableClusterQueueResources: true}",
          "metrics: {localQueueMetrics: {enable: false}}",
          "metrics: {localQueueMetrics: {localQueueSelector: {matchLabels: {a: b}}}}",
          "metrics: {customLabels: [{name: team}]}",
          "metrics: {customLabels: [{name: team}]}\nfeatureGates: {CustomMetricLabels: true}",
          "health: {healthProbeBindAddress: ':9091'}",
          "health: {readinessEndpointName: ready}",
          "health: {livenessEndpointName: alive}",
          "pprofBindAddress: ':8083'",
          "leaderElection: {leaderElect: false}",
          "leaderElection: {resourceName: mine}",
          "leaderElection: {resourceNamespace: elsewhere}",
          "leaderElection: {leaseDuration: 30s}",
          "leaderElection: {renewDeadline: 9s}",
          "leaderElection: {retryPeriod: 1s}",
          "controller: {groupKindConcurrency: {Job.batch: 5}}",
          "controller: {cacheSyncTimeout: 1}",
          "tls: {minVersion: VersionTLS13}",
          "tls: {cipherSuites: [TLS_AES_128_GCM_SHA256]}",
          "tls: {curvePreferences: [X25519]}",
          "manageJobsWithoutQueueName: true",
          "managedJobsNamespaceSelector: {matchLabels: {a: b}}",
          "internalCertManagement: {enable: false}",
          "internalCertManagement: {webhookServiceName: mine}",
          "internalCertManagement: {webhookSecretName: mine}",
          "waitForPodsReady: {timeout: 1m}",
          "waitForPodsReady: {blockAdmission: true}",
          "waitForPodsReady: {recoveryTimeout: 1m}",
          "waitForPodsReady: {requeuingStrategy: {timestamp: Creation}}",
          "waitForPodsReady: {requeuingStrategy: {backoffLimitCount: 3}}",
          "waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: 1}}",
          "waitForPodsReady: {requeuingStrategy: {backoffMaxSeconds: 7200}}",
          "clientConnection: {qps: 50}",
          "clientConnection: {burst: 100}",
          "integrations: {frameworks: [pod]}",
          "integrations: {externalFrameworks: [Foo.v1.example.com]}",
          "integrations: {labelKeysToCopy: [team]}",
          "multiKueue: {gcInterval: 2m}",
          "multiKueue: {origin: here}",
          "multiKueue: {workerLostTimeout: 2m}",
          "multiKueue: {dispatcherName: example.com/mine}",
          "multiKueue: {externalFrameworks: [{name: Foo.v1.example.com}]}",
          "multiKueue: {clusterProfile: {accessProviders: []}}",
          "multiKueue: {incrementalDispatcherConfig: {stepSize: 2}}",
          "fairSharing: {preemptionStrategies: [LessThanInitialShare]}",
          "admissionFairSharing: {usageHalfLifeTime: 1h}",
          "admissionFairSharing: {usageSamplingInterval: 1m}",
          "admissionFairSharing: {resourceWeights: {cpu: 2}}",
          "resources: {excludeResourcePrefixes: [example.com/]}",
          "resources: {quotaCheckStrategy: IgnoreUndeclared}",
          "resources: {transformations: [{input: a, strategy: Replace, outputs: {b: 2}}]}",
          "resources: {deviceClassMappings: [{name: gpu, deviceClassNames: [gpu]}]}",
          "objectRetentionPolicies: {workloads: {afterFinished: 1h}}",
          "objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: 1h}}",
          "visibilityServer: {bindAddress: localhost}",
          "visibilityServer: {bindPort: 8083}",
          "featureGates: {PartialAdmission: false}");

  @ParameterizedTest
  @FieldSource("FIELDS")
  void fieldHasAnEffectOrAWarning(String field) {
    Loaded without = read(Files.v1beta2(""));
    Loaded with = read(Files.v1beta2(field));

    boolean acts =
        !with.configuration().equals(without.configuration())
            || !with.manager().equals(without.manager());
    String section = field.substring(0, field.indexOf(':'));
    boolean named = with.warnings().stream().anyMatch(warning -> warning.startsWith(section));
    assertThat(acts).as("acts, while it says %s", with.warnings()).isNotEqualTo(named);
  }

  private static final String ON_BY_DEFAULT =
      """
      AdmissionFairSharing AdmissionGatedBy AssignQueueLabelsForPods
      CleanupProvisioningRequestsOnEviction DeferRayServiceFinalizationForRedisCleanup
      ElasticJobsViaWorkloadSlices FairSharingPreemptWithinNominal
      FairSharingPrioritizeNonBorrowing FinishOrphanedWorkloads FlavorFungibility
      FlavorFungibilityPreserveScanProgress HierarchicalCohorts KueueDRAIntegration
      KueueDRAIntegrationExtendedResource KueueDRAIntegrationPartitionableDevices
      KueueDRARejectWorkloadsWhenDRADisabled LWSImmutableGroupSize LocalQueueMetrics
      ManagedJobsNamespaceSelectorAlwaysRespected MetricForWorkloadCreationLatency
      MetricsForCohorts MultiKueue MultiKueueAdaptersForCustomJobs
      MultiKueueIncrementalDispatcherConfig MultiKueueIncrementalDispatcherRespectConfigOrder
      MultiKueueRedoAdmissionOnEvictionInWorker MultiKueueRemoteSpecSync
      MultiKueueWaitForWorkloadAdmitted ObjectRetentionPolicies PartialAdmission
      PodIntegrationValidateGroupOwner PrioritizePreemptorWorkloads
      PrioritySortingWithinCohort
      PropagateBatchJobLabelsToWorkload QuotaCheckStrategy ReclaimablePods
      RemoveFinalizersWithStrictPatch SchedulingEquivalenceHashing
      SkipAncestorCheckForDeletedWorkloads SkipFinalizersForPodsSuspendedByParent
      SkipReassignmentForPodOwnedWorkloads TASAssignmentsEncodingByHostnamePrefix
      TASCacheNodeMatchResults TASCachingRemainingResources TASFailedNodeReplacement
      TASFailedNodeReplacementFailFast TASHandleOverlappingFlavors TASMultiLayerTopology
      TASProfileMixed TASRecomputeAssignmentWithinSchedulingCycle TASReplaceNodeOnNodeTaints
      TASReplaceNodeOnPodTermination TASValidateWorkloadSliceSize TLSOptions
      TopologyAwareScheduling ValidateRayAndSparkJobUpdates VectorizedResourceRequests
      VisibilityOnDemand WorkloadIdentifierAnnotations WorkloadValidateResourcesAreNonNegative
      WorkloadValidationForPodSetMetadata
      """;

  private static final String OFF_BY_DEFAULT =
      """
      ConcurrentAdmission CustomMetricLabels DisableWaitForPodsReady
      ElasticJobsViaWorkloadSlicesWithTAS FailureRecoveryPolicy
      FastQuotaReleaseInPodIntegration KueueDRAIntegrationConsumableCapacity
      MultiKueueAllowInsecureKubeconfigs MultiKueueClusterProfile
      MultiKueueKubeConfigPathValidation MultiKueueManagerQuotaAutomation
      MultiKueueOrchestratedPreemption PriorityBoost
      RecomputeAssignmentUponPreemptionTargetsOverlap RejectUpdatesToCQWithInvalidOnFlavors
      SchedulerLibraryIntegration SchedulerLongRequeueInterval
      SchedulerTimestampPreemptionBuffer ShortWorkloadNames SparkApplicationIntegration
      TASBalancedPlacement TASCacheTopologyTree TASReplaceNodeDueToNotReadyOverFixedTime
      TASRespectNodeAffinityPreferred UnadmittedWorkloadsExplicitStatus
      UnadmittedWorkloadsObservability WorkloadPriorityClassDefaulting
      WorkloadRequestUseMergePatch
      """;

  @Test
  void changedGateHasAnEffectOrAWarning() {
    names(ON_BY_DEFAULT).forEach(gate -> assertEffectOrWarning(gate, false));
    names(OFF_BY_DEFAULT).forEach(gate -> assertEffectOrWarning(gate, true));
  }

  private static Stream<String> names(String text) {
    return Stream.of(text.strip().split("\\s+", -1));
  }

  private static void assertEffectOrWarning(String gate, boolean value) {
    Loaded without = read(Files.v1beta2(""));
    Loaded with = read(Files.v1beta2("featureGates: {%s: %s}".formatted(gate, value)));

    boolean acts =
        !with.configuration().gates().equals(without.configuration().gates())
            || !with.manager().equals(without.manager());
    assertThat(acts)
        .as("%s, of which is said %s", gate, with.warnings())
        .isEqualTo(with.warnings().isEmpty());
    assertThat(with.warnings()).noneMatch(warning -> warning.contains("no such gate"));
  }
}
