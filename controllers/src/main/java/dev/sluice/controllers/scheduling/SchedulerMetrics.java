package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.Placement;
import dev.sluice.engine.scheduling.QueuedPod;
import java.time.Instant;

/** Learns of what the scheduler does, to count it. */
interface SchedulerMetrics {
  SchedulerMetrics NONE = (queued, placement, refused, now) -> {};

  void tried(QueuedPod queued, Placement placement, boolean refused, Instant now);
}
