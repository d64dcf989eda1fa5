package dev.sluice.engine.queue;

import dev.sluice.engine.quota.Usage;
import java.time.Instant;
import java.util.Optional;

/**
 * A workload's reservation of quota.
 *
 * @param owner the uid of the job it stands for; empty if there is none
 * @param reservedAt when it got the quota
 * @param sibling its place among the variants of one job, if it is one
 */
public record QuotaReservation(
    WorkloadIdentity identity,
    String owner,
    QueueNames queues,
    Precedence precedence,
    Instant reservedAt,
    Usage usage,
    State state,
    Optional<Sibling> sibling) {

  /** How far the workload has come with its quota. */
  public enum State {
    /** Its admission checks are not ready. */
    RESERVED,
    /** It may run. */
    ADMITTED,
    /** It is being evicted before its admission checks were ready. */
    EVICTED_UNADMITTED,
    /** It is being evicted after it was admitted. */
    EVICTED;

    public static State of(boolean admitted, boolean evicted) {
      if (evicted) {
        return admitted ? EVICTED : EVICTED_UNADMITTED;
      }
      return admitted ? ADMITTED : RESERVED;
    }
  }

  /** The reservation of a pending workload, before its admission checks. */
  public static QuotaReservation of(PendingWorkload workload, Usage usage, Instant reservedAt) {
    return new QuotaReservation(
        workload.identity(),
        workload.owner(),
        workload.queues(),
        workload.precedence(),
        reservedAt,
        usage,
        State.RESERVED,
        workload.sibling());
  }

  /** {@code namespace/name}. */
  public String path() {
    return identity.path();
  }

  public String namespace() {
    return identity.namespace();
  }

  public String name() {
    return identity.name();
  }

  public String uid() {
    return identity.uid();
  }

  public String clusterQueue() {
    return queues.cluster();
  }

  /** Its LocalQueue as {@code namespace/name}. */
  public String localQueuePath() {
    return identity.namespace() + "/" + queues.local();
  }

  public long priority() {
    return precedence.priority();
  }

  /** Whether it may run, or could until it was evicted. */
  public boolean admitted() {
    return state == State.ADMITTED || state == State.EVICTED;
  }

  /** Whether it is being evicted. */
  public boolean evicted() {
    return state == State.EVICTED || state == State.EVICTED_UNADMITTED;
  }

  /**
   * The order of preemption: workloads that are being evicted already, then the lower priority,
   * then the latest reservation.
   */
  public static int inPreemptionOrder(QuotaReservation one, QuotaReservation other) {
    if (one.evicted() != other.evicted()) {
      return one.evicted() ? -1 : 1;
    }
    if (one.priority() != other.priority()) {
      return Long.compare(one.priority(), other.priority());
    }
    int order = other.reservedAt.compareTo(one.reservedAt);
    order = order != 0 ? order : one.uid().compareTo(other.uid());
    return order != 0 ? order : one.path().compareTo(other.path());
  }

  /** Whether another is counted like this one: as much, in the same queue and priority. */
  public boolean takesAsMuchAs(QuotaReservation other) {
    return clusterQueue().equals(other.clusterQueue())
        && priority() == other.priority()
        && usage.equals(other.usage);
  }

  /** Whether quota becomes free when another reservation of the workload replaces this one. */
  public boolean givesBackAs(QuotaReservation other) {
    return !clusterQueue().equals(other.clusterQueue())
        || priority() != other.priority()
        || !usage.minus(other.usage).isNothing();
  }

  public QuotaReservation asEvicted() {
    return evicted()
        ? this
        : new QuotaReservation(
            identity,
            owner,
            queues,
            precedence,
            reservedAt,
            usage,
            State.of(admitted(), true),
            sibling);
  }
}
