package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.time.Instant;
import java.util.Optional;

/**
 * The writer of the steps: each write has the seen workload as precondition, and its events follow.
 * A write ends the pass, because the watch enqueues the workload again.
 */
final class WorkloadWriter {
  private static final Optional<Outcome> WRITTEN = Optional.of(Outcome.DONE);

  private final Cluster cluster;
  private final EventRecorder events;

  WorkloadWriter(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "kueue-workload-controller");
  }

  Instant now() {
    return cluster.time().now();
  }

  Optional<Outcome> status(Workload seen, WorkloadStatus status) {
    cluster.patchStatus(
        Kinds.WORKLOAD, seen.object(), Condition.observed(seen.object(), status.tree()));
    return WRITTEN;
  }

  Optional<Outcome> spec(Workload changed) {
    cluster.update(Kinds.WORKLOAD, changed.object());
    return WRITTEN;
  }

  Optional<Outcome> withoutFinalizer(Workload seen) {
    return spec(new Workload(seen.object().withoutFinalizer(KueueNames.IN_USE)));
  }

  Optional<Outcome> evict(Workload seen, String reason, String message) {
    return evict(seen, seen.status(), reason, message, "");
  }

  /**
   * Evicts a workload, with an event if it had quota reserved.
   *
   * @param status the status with other changes of the same write
   */
  Optional<Outcome> evict(
      Workload seen, WorkloadStatus status, String reason, String message, String cause) {
    WorkloadStatus evicted = WorkloadTransitions.evict(status, reason, message, cause, now());
    status(seen, evicted);
    if (seen.admission().isPresent()) {
      normal(seen, "EvictedDueTo" + evicted.reason(WorkloadStatus.EVICTED), message);
    }
    return WRITTEN;
  }

  void normal(Workload about, String reason, String message) {
    events.normal(about.object(), reason, message);
  }

  void warning(Workload about, String reason, String message) {
    events.warning(about.object(), reason, message);
  }
}
