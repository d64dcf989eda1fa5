package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.Optional;

/** The queue timestamp of a workload: its creation, or for some reasons its last eviction. */
final class QueueTime {
  private QueueTime() {}

  static Instant of(Workload workload, Configuration configuration) {
    return evicted(workload, configuration)
        .or(() -> workload.object().created())
        .orElse(Instant.EPOCH);
  }

  /** The time of the last eviction, if it counts. */
  static Optional<Instant> evicted(Workload workload, Configuration configuration) {
    return evicted(workload.status(), configuration)
        .or(() -> behindBorrower(workload.status(), configuration));
  }

  private static Optional<Instant> evicted(WorkloadStatus status, Configuration configuration) {
    if (!status.holds(WorkloadStatus.EVICTED)) {
      return Optional.empty();
    }
    boolean counts =
        switch (status.reason(WorkloadStatus.EVICTED)) {
          case "AdmissionCheck" -> true;
          case "PodsReadyTimeout" ->
              configuration
                  .waitForPodsReady()
                  .map(Configuration.WaitForPodsReady::timestampOfEviction)
                  .orElse(true);
          default -> false;
        };
    return counts ? status.since(WorkloadStatus.EVICTED) : Optional.empty();
  }

  /** Without priority sorting within the cohort, the victim of a borrower is ordered after it. */
  private static Optional<Instant> behindBorrower(
      WorkloadStatus status, Configuration configuration) {
    boolean counts =
        !configuration.has(Gate.PRIORITY_SORTING_WITHIN_COHORT)
            && status.holds(WorkloadStatus.PREEMPTED)
            && status
                .reason(WorkloadStatus.PREEMPTED)
                .equals(Cause.IN_COHORT_RECLAIM_WHILE_BORROWING.word());
    return counts
        ? status.since(WorkloadStatus.PREEMPTED).map(at -> at.plusMillis(1))
        : Optional.empty();
  }
}
