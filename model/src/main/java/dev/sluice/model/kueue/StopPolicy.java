package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;

/** Whether a queue is open, and what becomes of its running workloads if it is not. */
public enum StopPolicy {
  NONE,
  /** Nothing new starts. */
  HOLD,
  /** Nothing new starts, and what runs is evicted. */
  HOLD_AND_DRAIN;

  static StopPolicy of(ApiObject queue) {
    return switch (queue.spec().text("stopPolicy")) {
      case "Hold" -> HOLD;
      case "HoldAndDrain" -> HOLD_AND_DRAIN;
      default -> NONE;
    };
  }
}
