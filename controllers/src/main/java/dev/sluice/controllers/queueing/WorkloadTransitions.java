package dev.sluice.controllers.queueing;

import dev.sluice.model.Condition;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SortedSet;

/**
 * The transitions of a workload, as changes of its status. Eviction has two phases: {@link #evict}
 * marks the workload and keeps its quota; {@link #release} releases the quota once its pods are
 * gone.
 */
public final class WorkloadTransitions {
  private static final int MAX_MESSAGE = 32 * 1024;

  /** The reason, or its prefix, of the eviction of a deactivated workload. */
  public static final String DEACTIVATED = "Deactivated";

  /** The cause of the deactivation of a workload that exceeded its maximum execution time. */
  public static final String MAXIMUM_EXECUTION_TIME = "MaximumExecutionTimeExceeded";

  /** The reason of the condition Admitted, and of the event about an admission. */
  public static final String ADMITTED = "Admitted";

  private static final String IMPORTED = "Imported";
  private static final String PREEMPTED = "Preempted";
  private static final String NODE_FAILURES = "NodeFailures";

  private WorkloadTransitions() {}

  /** Reserves quota, and ends the conditions of an earlier eviction. */
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

  /**
   * The admission of a workload.
   *
   * @param status the status to write
   * @param message of the event {@link #ADMITTED}, which follows the write
   */
  public record Admitted(WorkloadStatus status, String message) {}

  /** Admits a workload whose quota is reserved and whose checks are all ready. */
  public static Admitted admit(WorkloadStatus status, String clusterQueue, Instant now) {
    long waited =
        status
            .since(WorkloadStatus.QUOTA_RESERVED)
            .map(since -> Duration.between(since, now).toSeconds())
            .orElse(0L);
    String how =
        "by ClusterQueue %s, wait time since reservation was %ds".formatted(clusterQueue, waited);
    return admit(status, now, how);
  }

  /** Admits a parent whose variant is admitted, with the quota and the checks of the variant. */
  public static Admitted admitAs(Workload variant, WorkloadStatus parent, Instant now) {
    WorkloadStatus reserved =
        reserve(parent, variant.admission().orElseThrow(), now)
            .withAdmissionChecks(variant.status().admissionChecks());
    String how =
        "as variant %s with flavor %s".formatted(variant.object().name(), variant.allowedFlavor());
    return admit(reserved, now, how);
  }

  private static Admitted admit(WorkloadStatus status, Instant now, String how) {
    var condition = condition(WorkloadStatus.ADMITTED, true, ADMITTED, "The workload is admitted");
    return new Admitted(status.with(condition, now), "Admitted " + how);
  }

  /**
   * Admits a workload whose pods run already: its usage counts from now on, and its checks are
   * ready.
   *
   * @param checks the names of its required checks
   */
  public static WorkloadStatus importInto(
      WorkloadStatus status, Admission admission, SortedSet<String> checks, Instant now) {
    String message = "Imported into ClusterQueue " + admission.clusterQueue();
    return reserve(status, admission, now)
        .with(condition(WorkloadStatus.QUOTA_RESERVED, true, IMPORTED, message), now)
        .with(condition(WorkloadStatus.ADMITTED, true, IMPORTED, message), now)
        .withAdmissionChecks(
            checks.stream()
                .map(check -> CheckState.pending(check, now).in(CheckState.READY, IMPORTED, now))
                .toList());
  }

  /**
   * Evicts a workload. The quota stays reserved until {@link #release}.
   *
   * @param cause the underlying cause of the eviction, or empty
   */
  public static WorkloadStatus evict(
      WorkloadStatus status, String reason, String message, String cause, Instant now) {
    String full =
        reason.equals(DEACTIVATED) && !cause.isEmpty() ? reason + "DueTo" + cause : reason;
    WorkloadStatus evicted =
        status
            .with(condition(WorkloadStatus.EVICTED, true, full, message), now)
            .without("clusterName")
            .without("nominatedClusterNames")
            .without("unhealthyNodes")
            .withPreemptionGatesClosed(now)
            .withAdmissionChecks(
                status.admissionChecks().stream()
                    .map(check -> reset(check, "eviction", now))
                    .toList())
            .withEviction(reason, cause);
    if (evicted.holds(WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES)) {
      evicted =
          evicted.with(
              condition(WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES, false, "Evicted", "Evicted"),
              now);
    }
    return evicted;
  }

  /**
   * Evicts a workload in favor of another.
   *
   * @param rule the reason of the condition Preempted, such as {@code InClusterQueue}
   */
  public static WorkloadStatus preempt(
      WorkloadStatus status, String rule, String message, Instant now) {
    return evict(status, PREEMPTED, message, "", now)
        .with(condition(WorkloadStatus.PREEMPTED, true, rule, message), now);
  }

  /**
   * Resets checks in the state Retry. This is for a workload that lost its quota before it could be
   * evicted because of them: they would otherwise keep it from ever being queued again.
   */
  public static WorkloadStatus retryChecks(WorkloadStatus status, Instant now) {
    return status.withAdmissionChecks(
        status.admissionChecks().stream()
            .map(check ->
                check.state().equals(CheckState.RETRY) ? reset(check, "backoff", now) : check)
            .toList());
  }

  private static CheckState reset(CheckState check, String after, Instant now) {
    if (check.state().equals(CheckState.PENDING)) {
      return check;
    }
    String message = "Reset to Pending after " + after + ". Previously: " + check.state();
    CheckState pending = check.in(CheckState.PENDING, message, now).withoutPodSetUpdates();
    return check.state().equals(CheckState.RETRY)
        ? pending.withRetryCount(check.retryCount() + 1)
        : pending.withoutRetryCount();
  }

  /** Releases the quota, with coarse reasons. */
  public static WorkloadStatus release(
      WorkloadStatus status, String reason, String message, Instant now) {
    return release(status, reason, message, ConditionReasons.PLAIN, now);
  }

  /** Releases the quota, with the given kind of reasons. */
  public static WorkloadStatus release(
      WorkloadStatus status, String reason, String message, ConditionReasons reasons, Instant now) {
    WorkloadStatus released =
        status
            .with(condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message), now)
            .withoutAdmission();
    if (!released.holds(WorkloadStatus.ADMITTED)) {
      return released;
    }
    return released
        .withAccumulatedExecutionTime(executionTime(released, now))
        .with(reasons.withoutReservation(checksReady(released)), now);
  }

  /**
   * Releases the quota of a workload whose job has moved to another queue, and resets its checks.
   */
  public static WorkloadStatus leave(
      WorkloadStatus status, String message, ConditionReasons reasons, Instant now) {
    List<CheckState> reset =
        status.admissionChecks().stream()
            .map(check -> reset(check, "a change of queue", now))
            .toList();
    return release(status.withAdmissionChecks(reset), reasons.pending(), message, reasons, now);
  }

  /**
   * The total execution time so far; it starts at zero again after an eviction that was due to it.
   */
  public static Duration executionTime(WorkloadStatus status, Instant now) {
    if (status.holds(WorkloadStatus.EVICTED)
        && status.reason(WorkloadStatus.EVICTED).endsWith(MAXIMUM_EXECUTION_TIME)) {
      return Duration.ZERO;
    }
    return status
        .since(WorkloadStatus.ADMITTED)
        .map(since -> Duration.between(since, now).truncatedTo(ChronoUnit.SECONDS))
        .orElse(Duration.ZERO)
        .plus(status.accumulatedExecutionTime());
  }

  /**
   * Releases the quota of an evicted workload, once none of its pods runs any more. It may be
   * requeued at once if it was preempted or its nodes failed; otherwise a later transition sets the
   * condition Requeued.
   */
  public static WorkloadStatus releaseEvicted(
      WorkloadStatus status, ConditionReasons reasons, Instant now) {
    String reason = status.reason(WorkloadStatus.EVICTED);
    String message = status.message(WorkloadStatus.EVICTED);
    boolean atOnce = reason.equals(PREEMPTED) || reason.equals(NODE_FAILURES);
    return release(
        status.with(condition(WorkloadStatus.REQUEUED, atOnce, reason, message), now),
        reasons.pending(),
        message,
        reasons,
        now);
  }

  /** Allows a workload to be requeued. */
  public static WorkloadStatus requeue(
      WorkloadStatus status, String reason, String message, Instant now) {
    return status.with(condition(WorkloadStatus.REQUEUED, true, reason, message), now);
  }

  /** Marks a workload for deactivation. */
  public static WorkloadStatus deactivate(
      WorkloadStatus status, String reason, String message, Instant now) {
    return status.with(condition(WorkloadStatus.DEACTIVATION_TARGET, true, reason, message), now);
  }

  /** Whether every check in the status is ready. */
  public static boolean checksReady(WorkloadStatus status) {
    return status.admissionChecks().stream().allMatch(CheckState::ready);
  }

  /** Whether a check is in the state Retry or Rejected. */
  public static boolean checksFailed(WorkloadStatus status) {
    return status.admissionChecks().stream()
        .map(CheckState::state)
        .anyMatch(state -> state.equals(CheckState.RETRY) || state.equals(CheckState.REJECTED));
  }

  /**
   * Says whether a workload is blocked on its preemption gates, for the controllers that open them.
   */
  public static WorkloadStatus gate(
      WorkloadStatus status, boolean gated, String message, Instant now) {
    String type = WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES;
    String reason = gated ? "PreemptionGated" : "PreemptionNotGated";
    return gated || status.holds(type)
        ? status.with(condition(type, gated, reason, message), now)
        : status;
  }

  /** Finishes a workload. */
  public static WorkloadStatus finish(
      WorkloadStatus status, String reason, String message, Instant now) {
    return status.with(condition(WorkloadStatus.FINISHED, true, reason, message), now);
  }

  /** A condition whose message is cut to the length that the API allows. */
  public static Condition condition(String type, boolean holds, String reason, String message) {
    String shortened =
        message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE - 3) + "...";
    return new Condition(type, holds, reason, shortened);
  }
}
