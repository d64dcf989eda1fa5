package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.queue.PendingWorkload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A decision as the metrics are told of it: a workload waits because others evict its victims. */
final class SkippedWorkload {
  private SkippedWorkload() {}

  /** It waits in the ClusterQueue {@code cq}. */
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
