package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.Decision;
import dev.sluice.engine.admission.Waiting;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.Reservation;
import dev.sluice.engine.quota.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A decision of the engine as the metrics are told of it: one workload makes way for another. */
final class Preempting {
  private Preempting() {}

  static Decision.Preempt urgent(Instant now) {
    var held =
        new Reservation(
            "default", "victim", "u1", "", "a", "cq", 0, now, now, Usage.NONE, true, false);
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
    return new Decision.Preempt(
        asks,
        List.of(new Target(held, Target.Cause.IN_CLUSTER_QUEUE)),
        Waiting.of(Waiting.Kind.OVERLAP));
  }

  /** What the one that asks is told meanwhile. */
  static Decision.Wait waiting(Decision.Preempt preempt) {
    return new Decision.Wait(preempt.workload(), preempt.waiting());
  }
}
