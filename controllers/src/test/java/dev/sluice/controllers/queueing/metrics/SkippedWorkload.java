package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.WorkloadIdentity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decision about a workload that is skipped because its victims overlap with those of another.
 */
final class SkippedWorkload {
  private SkippedWorkload() {}

  /** A decision about a workload in the ClusterQueue {@code cq}. */
  static AdmissionDecision.Pending decision(Instant now) {
    var asks =
        new PendingWorkload(
            new WorkloadIdentity("default", "urgent", "u2"),
            "",
            new QueueNames("a", "cq"),
            new Precedence(9, now),
            List.of(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            true);
    return new AdmissionDecision.Pending(
        asks, PendingReason.of(PendingReason.Kind.OVERLAPPING_VICTIMS));
  }
}
