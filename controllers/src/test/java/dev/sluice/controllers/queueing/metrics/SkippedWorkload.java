package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.cycle.Decision;
import dev.sluice.engine.admission.cycle.Waiting;
import dev.sluice.engine.queue.PendingWorkload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A decision as the metrics are told of it: a workload waits because others evict its victims. */
final class SkippedWorkload {
  private SkippedWorkload() {}

  /** It waits in the ClusterQueue {@code cq}. */
  static Decision.Wait decision(Instant now) {
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
    return new Decision.Wait(asks, Waiting.of(Waiting.Kind.OVERLAP));
  }
}
