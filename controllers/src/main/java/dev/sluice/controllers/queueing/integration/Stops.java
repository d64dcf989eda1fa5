package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.kueue.PodSet;
import java.util.List;

/** Stops jobs, and tells their users why. */
final class Stops {
  private final WorkloadWriter writer;

  Stops(WorkloadWriter writer) {
    this.writer = writer;
  }

  /** Does the next step of stopping a job; returns whether it has stopped. */
  boolean stop(QueuedJob job, StopReason reason, String message, List<PodSet> original) {
    return switch (job.stop(reason, message, original)) {
      case BEGUN -> {
        writer.tell(job, "Stopped", message);
        yield false;
      }
      case WAITING -> false;
      case DONE -> true;
    };
  }
}
