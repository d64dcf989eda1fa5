package dev.sluice.controllers.configuration;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The feature gates of Kueue that change nothing here, and why. */
final class GateNames {
  /** Gates of Kueue that cannot be closed any more: what they did is how it is. */
  static final List<String> ALWAYS_ON =
      List.of(
          "HierarchicalCohorts",
          "ManagedJobsNamespaceSelectorAlwaysRespected",
          "ObjectRetentionPolicies",
          "PropagateBatchJobLabelsToWorkload",
          "SkipFinalizersForPodsSuspendedByParent");

  /** Gates of Kueue that cannot be opened. */
  static final List<String> ALWAYS_OFF = List.of("MultiKueueAllowInsecureKubeconfigs");

  private static final String TOPOLOGY = "topology-aware scheduling is not part of Sluice yet";
  private static final String MANY_CLUSTERS = "MultiKueue is not part of Sluice yet";
  private static final String DEVICES = "dynamic resource allocation is not part of Sluice yet";
  private static final String KINDS = "jobs of these kinds are not queued by Sluice yet";
  private static final String FEATURES = "this feature is not part of Sluice yet";
  private static final String OWN_WAY = "it chooses between two ways of which Sluice has one";

  /** Why each of the others changes nothing. */
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
        MANY_CLUSTERS,
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
