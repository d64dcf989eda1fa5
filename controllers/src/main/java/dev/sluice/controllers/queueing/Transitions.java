package dev.sluice.controllers.queueing;

import dev.sluice.model.Condition;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The steps of a workload's life, as changes of its status. Eviction has two phases: {@link #evict}
 * says that the workload must stop and keeps its quota; {@link #release} gives the quota back, once
 * its pods are gone.
 */
public final class Transitions {
  private static final int MAX_MESSAGE = 32 * 1024;

  private Transitions() {}

  /** Quota is set aside; what evicted it before is over. */
  public static WorkloadStatus reserve(WorkloadStatus status, Admission admission, Instant now) {
    WorkloadStatus reserved =
        status
            .withAdmission(admission)
            .without("resourceRequests")
            .with(
                condition(
                    WorkloadStatus.QUOTA_RESERVED,
                    true,
                    "QuotaReserved",
                    "Quota reserved in ClusterQueue " + admission.clusterQueue()),
                now);
    for (String ended :
        List.of(
            WorkloadStatus.EVICTED,
            WorkloadStatus.PREEMPTED,
            WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES)) {
      if (reserved.holds(ended)) {
        String before = "Previously: " + reserved.message(ended);
        reserved = reserved.with(condition(ended, false, "QuotaReserved", before), now);
      }
    }
    return reserved;
  }

  /** May run: quota is reserved and every check is ready. */
  public static WorkloadStatus admit(WorkloadStatus status, Instant now) {
    return status.with(
        condition(WorkloadStatus.ADMITTED, true, "Admitted", "The workload is admitted"), now);
  }

  /**
   * Must stop. The quota stays reserved until {@link #release}.
   *
   * @param cause what lies under the reason; empty if nothing does
   */
  public static WorkloadStatus evict(
      WorkloadStatus status, String reason, String message, String cause, Instant now) {
    String full =
        reason.equals("Deactivated") && !cause.isEmpty() ? reason + "DueTo" + cause : reason;
    WorkloadStatus evicted =
        status
            .with(condition(WorkloadStatus.EVICTED, true, full, message), now)
            .without("clusterName")
            .without("nominatedClusterNames")
            .without("unhealthyNodes")
            .withAdmissionChecks(
                status.admissionChecks().stream().map(check -> reset(check, now)).toList())
            .withEviction(reason, cause);
    if (evicted.holds(WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES)) {
      evicted =
          evicted.with(
              condition(WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES, false, "Evicted", "Evicted"),
              now);
    }
    return evicted;
  }

  private static CheckState reset(CheckState check, Instant now) {
    if (check.state().equals(CheckState.PENDING)) {
      return check;
    }
    CheckState pending =
        check
            .in(
                CheckState.PENDING,
                "Reset to Pending after eviction. Previously: " + check.state(),
                now)
            .withoutPodSetUpdates();
    return check.state().equals(CheckState.RETRY)
        ? pending.withRetryCount(check.retryCount() + 1)
        : pending.withoutRetryCount();
  }

  /** Gives the quota back. */
  public static WorkloadStatus release(
      WorkloadStatus status, String reason, String message, Instant now) {
    WorkloadStatus released =
        status
            .with(condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message), now)
            .withoutAdmission();
    if (!released.holds(WorkloadStatus.ADMITTED)) {
      return released;
    }
    Duration ran =
        released
            .since(WorkloadStatus.ADMITTED)
            .map(since -> Duration.between(since, now).truncatedTo(ChronoUnit.SECONDS))
            .orElse(Duration.ZERO);
    return released
        .withAccumulatedExecutionTime(released.accumulatedExecutionTime().plus(ran))
        .with(
            condition(
                WorkloadStatus.ADMITTED, false, "NoReservation", "The workload has no reservation"),
            now);
  }

  /** Is over for good. */
  public static WorkloadStatus finish(
      WorkloadStatus status, String reason, String message, Instant now) {
    return status.with(condition(WorkloadStatus.FINISHED, true, reason, message), now);
  }

  /** A condition whose message is no longer than a condition may have. */
  public static Condition condition(String type, boolean holds, String reason, String message) {
    String text =
        message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 3) + "...";
    return new Condition(type, holds, reason, text);
  }
}
