package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.List;

/** The reasons of the conditions of a workload that is not admitted, coarse or detailed. */
public enum ConditionReasons {
  PLAIN,
  /** The reasons with the feature gate {@code UnadmittedWorkloadsObservability}. */
  FINE;

  /**
   * The detailed condition Admitted of a workload that has quota reserved and waits for its checks.
   */
  public static final Condition WITHOUT_CHECKS =
      new Condition(
          WorkloadStatus.ADMITTED,
          false,
          "UnsatisfiedAdmissionChecks",
          "The workload has not all checks ready");

  private static final String QUOTA = "WaitingForQuota";

  public static ConditionReasons of(Configuration configuration) {
    return configuration.has(Gate.UNADMITTED_OBSERVABILITY) ? FINE : PLAIN;
  }

  /** The reason of a workload that waits for the next admission cycle. */
  public String pending() {
    return this == FINE ? "PendingEvaluation" : "Pending";
  }

  /** The reason of a workload that refers to an object that does not exist. */
  public String misconfigured() {
    return this == FINE ? "Misconfigured" : "Inadmissible";
  }

  /** The reason of a workload whose queue is stopped. */
  public String suspended() {
    return this == FINE ? "Suspended" : "Inadmissible";
  }

  /** The reason of a workload that the engine leaves pending. */
  public String of(PendingReason reason) {
    String fine =
        switch (reason.kind()) {
          case PODS_NOT_READY -> "WaitingForPodsReady";
          case NAMESPACE_MISMATCH, MISCONFIGURED -> misconfigured();
          case NO_FIT -> missing(reason);
          case NO_CANDIDATES, SKIPPED, OVERLAPPING_VICTIMS -> QUOTA;
          case PREEMPTING, MIGRATING -> "WaitingForPreemptedWorkloads";
          case GATED, BETTER_SIBLING, MIGRATION_NOT_ALLOWED -> pending();
        };
    String plain = reason.kind() == PendingReason.Kind.PODS_NOT_READY ? "Waiting" : pending();
    return this == FINE ? fine : plain;
  }

  /**
   * The reason that is resolved most easily: other workloads finish, quota grows, or flavors are
   * added.
   */
  private static String missing(PendingReason reason) {
    List<NoFitReason> reasons =
        reason.podSets().stream().flatMap(podSet -> podSet.reasons().stream()).toList();
    if (reasons.stream().anyMatch(NoFitReason.QuotaInUse.class::isInstance)) {
      return QUOTA;
    }
    return reasons.stream().anyMatch(NoFitReason.QuotaTooSmall.class::isInstance)
        ? "ExceedsMaxQuota"
        : "NoMatchingFlavor";
  }

  /** The condition Admitted of a workload without quota. */
  public Condition withoutReservation(boolean checksReady) {
    return this == FINE || checksReady
        ? new Condition(
            WorkloadStatus.ADMITTED, false, "NoReservation", "The workload has no reservation")
        : new Condition(
            WorkloadStatus.ADMITTED,
            false,
            "NoReservationUnsatisfiedChecks",
            "The workload has no reservation and not all checks ready");
  }
}
