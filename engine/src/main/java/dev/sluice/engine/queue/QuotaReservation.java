package dev.sluice.engine.queue;

import dev.sluice.engine.quota.Usage;
import java.time.Instant;
import java.util.Optional;

/**
 * A workload's reservation of quota.
 *
 * @param since the timestamp by which it was queued
 * @param reservedAt when it got the quota
 * @param admitted whether it may run; before that, its admission checks are not ready
 * @param evicted whether it is being evicted
 * @param sibling its place among the variants of one job, if it is one
 */
public record QuotaReservation(
    String namespace,
    String name,
    String uid,
    String owner,
    String localQueue,
    String clusterQueue,
    long priority,
    Instant since,
    Instant reservedAt,
    Usage usage,
    boolean admitted,
    boolean evicted,
    Optional<Sibling> sibling) {

  /** A reservation of a workload without siblings. */
  public QuotaReservation(
      String namespace,
      String name,
      String uid,
      String owner,
      String localQueue,
      String clusterQueue,
      long priority,
      Instant since,
      Instant reservedAt,
      Usage usage,
      boolean admitted,
      boolean evicted) {
    this(
        namespace,
        name,
        uid,
        owner,
        localQueue,
        clusterQueue,
        priority,
        since,
        reservedAt,
        usage,
        admitted,
        evicted,
        Optional.empty());
  }

  /** {@code namespace/name}. */
  public String path() {
    return namespace + "/" + name;
  }

  /**
   * The order of preemption: workloads that are being evicted already, then the lower priority,
   * then the latest reservation.
   */
  public static int byGivingWay(QuotaReservation one, QuotaReservation other) {
    if (one.evicted != other.evicted) {
      return one.evicted ? -1 : 1;
    }
    if (one.priority != other.priority) {
      return Long.compare(one.priority, other.priority);
    }
    int order = other.reservedAt.compareTo(one.reservedAt);
    order = order != 0 ? order : one.uid.compareTo(other.uid);
    return order != 0 ? order : one.path().compareTo(other.path());
  }

  /** Whether another is counted like this one: as much, in the same queue and priority. */
  public boolean takesAsMuchAs(QuotaReservation other) {
    return clusterQueue.equals(other.clusterQueue)
        && priority == other.priority
        && usage.equals(other.usage);
  }

  /** Whether quota becomes free when another reservation of the workload replaces this one. */
  public boolean givesBackAs(QuotaReservation other) {
    return !clusterQueue.equals(other.clusterQueue)
        || priority != other.priority
        || !usage.minus(other.usage).isNothing();
  }

  /** Its LocalQueue as {@code namespace/name}. */
  public String localQueuePath() {
    return namespace + "/" + localQueue;
  }

  public QuotaReservation asEvicted() {
    return evicted
        ? this
        : new QuotaReservation(
            namespace,
            name,
            uid,
            owner,
            localQueue,
            clusterQueue,
            priority,
            since,
            reservedAt,
            usage,
            admitted,
            true,
            sibling);
  }
}
