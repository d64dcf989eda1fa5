package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.List;

/** The reasons that conditions give for a workload that is not admitted: a few, or many. */
public enum ConditionReasons {
  PLAIN,
  /** With the gate {@code UnadmittedWorkloadsObservability}. */
  FINE;

  /** The condition Admitted of what holds quota and waits for its checks, in fine words. */
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

  /** Waits for the next look at its queue. */
  public String pending() {
    return this == FINE ? "PendingEvaluation" : "Pending";
  }

  /** Names something that is not there. */
  public String misconfigured() {
    return this == FINE ? "Misconfigured" : "Inadmissible";
  }

  /** Its queue is closed. */
  public String suspended() {
    return this == FINE ? "Suspended" : "Inadmissible";
  }

  /** Waits in its queue, for what the engine says. */
  public String of(PendingReason waiting) {
    String fine =
        switch (waiting.kind()) {
          case PODS_NOT_READY -> "WaitingForPodsReady";
          case NAMESPACE_MISMATCH, MISCONFIGURED -> misconfigured();
          case NO_FIT -> missing(waiting);
          case NO_CANDIDATES, SKIPPED, OVERLAPPING_VICTIMS -> QUOTA;
          case PREEMPTING, MIGRATING -> "WaitingForPreemptedWorkloads";
          case GATED, BETTER_SIBLING, MIGRATION_NOT_ALLOWED -> pending();
        };
    String plain = waiting.kind() == PendingReason.Kind.PODS_NOT_READY ? "Waiting" : pending();
    return this == FINE ? fine : plain;
  }

  /** The nearest that could change: others end, quota grows, or other flavors come. */
  private static String missing(PendingReason waiting) {
    List<NoFitReason> reasons =
        waiting.podSets().stream().flatMap(podSet -> podSet.reasons().stream()).toList();
    if (reasons.stream().anyMatch(NoFitReason.QuotaInUse.class::isInstance)) {
      return QUOTA;
    }
    return reasons.stream().anyMatch(NoFitReason.QuotaTooSmall.class::isInstance)
        ? "ExceedsMaxQuota"
        : "NoMatchingFlavor";
  }

  /** The condition Admitted of what holds no quota. */
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
