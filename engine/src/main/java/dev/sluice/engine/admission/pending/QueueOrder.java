package dev.sluice.engine.admission.pending;

/**
 * The order of pending workloads: the higher priority first, then the longest pending, as {@link
 * dev.sluice.engine.queue.PendingWorkload#compareTo} says.
 *
 * <p>Priority and whole seconds mostly decide, so the caller brings them along from memory that is
 * near: nothing happens more often than that two workloads are compared.
 */
public final class QueueOrder {
  private QueueOrder() {}

  /** Compares two workloads, each given with its priority and the second since it is pending. */
  public static int compare(
      long priority,
      long seconds,
      PendingEntry entry,
      long otherPriority,
      long otherSeconds,
      PendingEntry other) {
    if (priority != otherPriority) {
      return Long.compare(otherPriority, priority);
    }
    return seconds != otherSeconds
        ? Long.compare(seconds, otherSeconds)
        : entry.workload().compareTo(other.workload());
  }

  /** Compares two groups of the same priority, each given with the seconds of its first entry. */
  static int compare(
      long seconds, EquivalenceGroup group, long otherSeconds, EquivalenceGroup other) {
    return seconds != otherSeconds ? Long.compare(seconds, otherSeconds) : group.compareTo(other);
  }
}
