package dev.sluice.engine.scheduling.queue;

/** A part of the {@link SchedulingQueue}. */
public enum SubQueue {
  /** Those that may try. */
  ACTIVE("active"),
  /** Those that pause after a failure. */
  BACKOFF("backoff"),
  /** Those that nothing has happened for since they failed. */
  UNSCHEDULABLE("unschedulable");

  private final String word;

  SubQueue(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
