package dev.sluice.engine.scheduling.cluster;

/** How a pod is told that it leaves for a more important one. */
public final class Eviction {
  /** The reason of the condition {@code DisruptionTarget} that such a pod gets. */
  public static final String REASON = "PreemptionByScheduler";

  private Eviction() {}

  public static String message(String scheduler) {
    return scheduler + ": preempting to accommodate a higher priority pod";
  }
}
