package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Controller.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The step that deactivates and requeues workloads: a workload is deactivated if its status asks
 * for it, evicted while it is inactive, and requeued once it is active again or its backoff is
 * over.
 */
final class ActivationStep implements WorkloadStep {
  private static final Duration MAX_RETRY = Duration.ofSeconds(Integer.MAX_VALUE);
  private static final List<String> EVICTIONS_WITH_BACKOFF =
      List.of("PodsReadyTimeout", "AdmissionCheck");

  private final WorkloadWriter writer;

  ActivationStep(WorkloadWriter writer) {
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload workload) {
    if (!workload.active()) {
      return evictInactive(workload);
    }
    return backOff(workload).or(() -> deactivate(workload)).or(() -> requeue(workload));
  }

  private Optional<Outcome> deactivate(Workload workload) {
    return workload.status().holds(WorkloadStatus.DEACTIVATION_TARGET)
        ? writer.spec(workload.withActive(false))
        : Optional.empty();
  }

  /** Checks in the state Retry may set the backoff. */
  private Optional<Outcome> backOff(Workload workload) {
    WorkloadStatus status = workload.status();
    Optional<Instant> latest =
        status.admissionChecks().stream()
            .flatMap(check -> retryAt(check).stream())
            .max(Instant::compareTo);
    Instant atLeast = status.requeueAt().filter(writer.now()::isBefore).orElseGet(writer::now);
    return latest
        .filter(atLeast::isBefore)
        .flatMap(retry -> writer.status(workload, status.withRequeueAt(retry)));
  }

  private static Optional<Instant> retryAt(CheckState check) {
    if (!check.state().equals(CheckState.RETRY)) {
      return Optional.empty();
    }
    return check
        .requeueAfter()
        .map(wait -> wait.compareTo(MAX_RETRY) > 0 ? MAX_RETRY : wait)
        .flatMap(wait -> check.since().map(since -> since.plus(wait)));
  }

  private Optional<Outcome> evictInactive(Workload workload) {
    WorkloadStatus seen = workload.status();
    WorkloadStatus status =
        seen.holds(WorkloadStatus.DEACTIVATION_TARGET)
            ? seen.withoutCondition(WorkloadStatus.DEACTIVATION_TARGET)
            : seen;
    status = status.withoutRequeueState();
    if (!seen.holds(WorkloadStatus.EVICTED)) {
      String cause = seen.reason(WorkloadStatus.DEACTIVATION_TARGET);
      String target = seen.message(WorkloadStatus.DEACTIVATION_TARGET);
      String message =
          "The workload is deactivated" + (target.isEmpty() ? "" : " due to " + target);
      return writer.evict(workload, status, WorkloadTransitions.DEACTIVATED, message, cause);
    }
    return status.equals(seen) ? Optional.empty() : writer.status(workload, status);
  }

  /**
   * Only a workload without quota is requeued: an evicted workload must release its quota first.
   */
  private Optional<Outcome> requeue(Workload workload) {
    WorkloadStatus status = workload.status();
    if (workload.reserved()) {
      return Optional.empty();
    }
    Optional<Duration> wait = status.requeueAt().map(at -> Duration.between(writer.now(), at));
    if (wait.isPresent() && wait.get().isPositive()) {
      return wait.map(Outcome::again);
    }
    WorkloadStatus free = status.requeueAt().isPresent() ? status.withoutRequeueAt() : status;
    WorkloadStatus again = requeued(WorkloadTransitions.retryChecks(free, writer.now()));
    return again.equals(status) ? Optional.empty() : writer.status(workload, again);
  }

  private WorkloadStatus requeued(WorkloadStatus status) {
    if (!status.denies(WorkloadStatus.REQUEUED)) {
      return status;
    }
    String reason = status.reason(WorkloadStatus.REQUEUED);
    if (reason.startsWith(WorkloadTransitions.DEACTIVATED)) {
      return WorkloadTransitions.requeue(
          status, "Reactivated", "The workload was reactivated", writer.now());
    }
    if (EVICTIONS_WITH_BACKOFF.contains(reason)) {
      return WorkloadTransitions.requeue(
          status, "BackoffFinished", "The workload backoff was finished", writer.now());
    }
    return status;
  }
}
