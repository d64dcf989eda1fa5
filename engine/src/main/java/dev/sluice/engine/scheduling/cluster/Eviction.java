package dev.sluice.engine.scheduling.cluster;

/** The reason and message that the condition of a preempted pod gets. */
public final class Eviction {
  /** The reason of the condition {@code DisruptionTarget}. */
  public static final String REASON = "PreemptionByScheduler";

  private Eviction() {}

  public static String message(String scheduler) {
    return scheduler + ": preempting to accommodate a higher priority pod";
  }
}
