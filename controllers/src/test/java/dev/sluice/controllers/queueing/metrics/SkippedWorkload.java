package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.queue.PendingWorkload;
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
            "default",
            "urgent",
            "u2",
            "",
            "a",
            "cq",
            9,
            now,
            List.of(),
            Optional.empty(),
            List.of());
    return new AdmissionDecision.Pending(
        asks, PendingReason.of(PendingReason.Kind.OVERLAPPING_VICTIMS));
  }
}
