package dev.sluice.engine.scheduling.queue;

/** A part of the {@link SchedulingQueue}. */
public enum SubQueue {
  /** Pods that may be tried. */
  ACTIVE("active"),
  /** Pods that back off after a failure. */
  BACKOFF("backoff"),
  /** Pods for which no event has helped since they failed. */
  UNSCHEDULABLE("unschedulable");

  private final String word;

  SubQueue(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
