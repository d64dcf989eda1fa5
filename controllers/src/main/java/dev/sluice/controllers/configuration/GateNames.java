package dev.sluice.controllers.configuration;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The feature gates of Kueue that have no effect here, with the reasons. */
final class GateNames {
  /** The gates of Kueue that can no longer be turned off. */
  static final List<String> ALWAYS_ON =
      List.of(
          "HierarchicalCohorts",
          "ManagedJobsNamespaceSelectorAlwaysRespected",
          "ObjectRetentionPolicies",
          "PropagateBatchJobLabelsToWorkload",
          "SkipFinalizersForPodsSuspendedByParent");

  /** The gates of Kueue that cannot be turned on. */
  static final List<String> ALWAYS_OFF = List.of("MultiKueueAllowInsecureKubeconfigs");

  private static final String TOPOLOGY = "topology-aware scheduling is not part of Sluice yet";
  private static final String MULTIKUEUE = "MultiKueue is not part of Sluice yet";
  private static final String DEVICES = "dynamic resource allocation is not part of Sluice yet";
  private static final String KINDS = "jobs of these kinds are not queued by Sluice yet";
  private static final String FEATURES = "this feature is not part of Sluice yet";
  private static final String OWN_WAY = "it chooses between two ways of which Sluice has one";

  /** The reasons why the other gates have no effect. */
  static final SortedMap<String, String> WITHOUT_EFFECT = withoutEffect();

  private GateNames() {}

  private static SortedMap<String, String> withoutEffect() {
    var reasons = new TreeMap<String, String>();
    explain(
        reasons,
        TOPOLOGY,
        """
        TopologyAwareScheduling TASProfileMixed TASFailedNodeReplacement
        TASFailedNodeReplacementFailFast TASReplaceNodeOnPodTermination TASReplaceNodeOnNodeTaints
        TASAssignmentsEncodingByHostnamePrefix TASMultiLayerTopology TASHandleOverlappingFlavors
        TASRecomputeAssignmentWithinSchedulingCycle TASCacheNodeMatchResults
        TASCachingRemainingResources TASValidateWorkloadSliceSize TASBalancedPlacement
        TASRespectNodeAffinityPreferred TASCacheTopologyTree
        TASReplaceNodeDueToNotReadyOverFixedTime ElasticJobsViaWorkloadSlicesWithTAS\
        """);
    explain(
        reasons,
        MULTIKUEUE,
        """
        MultiKueue MultiKueueAdaptersForCustomJobs MultiKueueIncrementalDispatcherConfig
        MultiKueueIncrementalDispatcherRespectConfigOrder MultiKueueRemoteSpecSync
        MultiKueueWaitForWorkloadAdmitted MultiKueueRedoAdmissionOnEvictionInWorker
        MultiKueueKubeConfigPathValidation MultiKueueClusterProfile
        MultiKueueOrchestratedPreemption MultiKueueManagerQuotaAutomation\
        """);
    explain(
        reasons,
        DEVICES,
        """
        KueueDRAIntegration KueueDRAIntegrationExtendedResource
        KueueDRARejectWorkloadsWhenDRADisabled KueueDRAIntegrationPartitionableDevices
        KueueDRAIntegrationConsumableCapacity\
        """);
    explain(
        reasons,
        KINDS,
        """
        DeferRayServiceFinalizationForRedisCleanup ValidateRayAndSparkJobUpdates
        SparkApplicationIntegration LWSImmutableGroupSize\
        """);
    explain(reasons, FEATURES, "CleanupProvisioningRequestsOnEviction");
    explain(
        reasons,
        OWN_WAY,
        """
        RemoveFinalizersWithStrictPatch SchedulingEquivalenceHashing
        MetricForWorkloadCreationLatency WorkloadIdentifierAnnotations MetricsForCohorts
        VectorizedResourceRequests WorkloadValidateResourcesAreNonNegative
        WorkloadValidationForPodSetMetadata FlavorFungibilityPreserveScanProgress
        SkipAncestorCheckForDeletedWorkloads PodIntegrationValidateGroupOwner
        WorkloadRequestUseMergePatch SchedulerLongRequeueInterval SchedulerLibraryIntegration
        RecomputeAssignmentUponPreemptionTargetsOverlap\
        """);
    return Collections.unmodifiableSortedMap(reasons);
  }

  private static void explain(Map<String, String> reasons, String reason, String names) {
    for (String name : names.strip().split("\\s+", -1)) {
      reasons.put(name, reason);
    }
  }
}
