package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;

/** The stop policy of a queue. */
public enum StopPolicy {
  NONE,
  /** No workload is admitted. */
  HOLD,
  /** No workload is admitted, and admitted workloads are evicted. */
  HOLD_AND_DRAIN;

  static StopPolicy of(ApiObject queue) {
    return switch (queue.spec().text("stopPolicy")) {
      case "Hold" -> HOLD;
      case "HoldAndDrain" -> HOLD_AND_DRAIN;
      default -> NONE;
    };
  }
}
