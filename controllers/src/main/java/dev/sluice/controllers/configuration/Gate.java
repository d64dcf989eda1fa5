package dev.sluice.controllers.configuration;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The feature gates of Kueue that have an effect here. Their defaults are those of Kueue, except
 * for {@link #PRIORITIZE_PREEMPTORS}, without which preemption might never end.
 */
public enum Gate {
  PARTIAL_ADMISSION("PartialAdmission", true),
  FLAVOR_FUNGIBILITY("FlavorFungibility", true),
  PRIORITY_SORTING_WITHIN_COHORT("PrioritySortingWithinCohort", true),
  ELASTIC_JOBS("ElasticJobsViaWorkloadSlices", true),
  RECLAIMABLE_PODS("ReclaimablePods", true),
  ADMISSION_GATED_BY("AdmissionGatedBy", true),
  FINISH_ORPHANED_WORKLOADS("FinishOrphanedWorkloads", true),
  ASSIGN_QUEUE_LABELS("AssignQueueLabelsForPods", true),
  SKIP_REASSIGNMENT_FOR_POD_OWNED("SkipReassignmentForPodOwnedWorkloads", true),
  FAIR_SHARING_PREEMPT_WITHIN_NOMINAL("FairSharingPreemptWithinNominal", true),
  FAIR_SHARING_PRIORITIZE_NON_BORROWING("FairSharingPrioritizeNonBorrowing", true),
  PRIORITY_BOOST("PriorityBoost", false),
  SHORT_WORKLOAD_NAMES("ShortWorkloadNames", false),
  WORKLOAD_PRIORITY_CLASS_DEFAULTING("WorkloadPriorityClassDefaulting", false),
  UNADMITTED_OBSERVABILITY("UnadmittedWorkloadsObservability", false),
  UNADMITTED_EXPLICIT_STATUS("UnadmittedWorkloadsExplicitStatus", false),
  TIMESTAMP_PREEMPTION_BUFFER("SchedulerTimestampPreemptionBuffer", false),
  PRIORITIZE_PREEMPTORS("PrioritizePreemptorWorkloads", true),
  FAST_QUOTA_RELEASE("FastQuotaReleaseInPodIntegration", false),
  REJECT_INVALID_ON_FLAVORS("RejectUpdatesToCQWithInvalidOnFlavors", false),
  FAILURE_RECOVERY("FailureRecoveryPolicy", false),
  DISABLE_WAIT_FOR_PODS_READY("DisableWaitForPodsReady", false),
  CONCURRENT_ADMISSION("ConcurrentAdmission", false),
  ADMISSION_FAIR_SHARING("AdmissionFairSharing", true),
  QUOTA_CHECK_STRATEGY("QuotaCheckStrategy", true),
  LOCAL_QUEUE_METRICS("LocalQueueMetrics", true),
  CUSTOM_METRIC_LABELS("CustomMetricLabels", false),
  VISIBILITY_ON_DEMAND("VisibilityOnDemand", true),
  TLS_OPTIONS("TLSOptions", true);

  static final Set<Gate> ON_BY_DEFAULT = defaults();

  private final String word;
  private final boolean onByDefault;

  Gate(String word, boolean onByDefault) {
    this.word = word;
    this.onByDefault = onByDefault;
  }

  /** The name of the gate in files and flags. */
  public String word() {
    return word;
  }

  static Optional<Gate> named(String word) {
    return Arrays.stream(values()).filter(gate -> gate.word.equals(word)).findFirst();
  }

  private static Set<Gate> defaults() {
    var on = EnumSet.noneOf(Gate.class);
    for (Gate gate : values()) {
      if (gate.onByDefault) {
        on.add(gate);
      }
    }
    return Collections.unmodifiableSet(on);
  }
}
