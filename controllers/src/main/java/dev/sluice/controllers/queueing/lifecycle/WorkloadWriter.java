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
 * How the steps write: against the workload as it was seen, with the events that belong to it. Each
 * write ends the look at the workload, because the watch brings it back.
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
   * Evicts a workload; people are told if it loses something by it.
   *
   * @param status its status, with what changes besides
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
