package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.reference.ReferenceQuota.Node;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of the plain search for victims that both ways share:
 * docs/specification/preemption.md#candidates and
 * docs/specification/preemption.md#the-necessary-victims.
 */
final class ReferenceCandidates {
  final ReferenceQuota quota;
  final PendingWorkload workload;
  final Usage request;
  final Set<FlavorResource> needed;
  final Node mine;
  final QueueSpec.Preemption policy;
  private final Map<String, QueueSpec> queues;
  private final List<QuotaReservation> held;
  private final Comparator<String> byUsage;
  private final List<Target> removed = new ArrayList<>();

  /**
   * @param byUsage orders LocalQueues by what they used before
   */
  ReferenceCandidates(
      ReferenceQuota quota,
      Map<String, QueueSpec> queues,
      List<QuotaReservation> held,
      Comparator<String> byUsage,
      PendingWorkload workload,
      Usage request,
      Set<FlavorResource> needed) {
    this.quota = quota;
    this.queues = queues;
    this.held = held;
    this.byUsage = byUsage;
    this.workload = workload;
    this.request = request;
    this.needed = needed;
    this.mine = ReferenceQuota.queue(workload.clusterQueue());
    this.policy = spec(mine).preemption();
  }

  private QueueSpec spec(Node queue) {
    QueueSpec spec = queues.get(queue.name());
    if (spec == null) {
      throw new IllegalArgumentException("there is no queue " + queue);
    }
    return spec;
  }

  /**
   * Evicted first, others' before own, in one queue those of the LocalQueue that used more, low
   * priority first, reserved last first, then by uid.
   */
  Comparator<QuotaReservation> order() {
    return Comparator.comparing((QuotaReservation reservation) -> !reservation.evicted())
        .thenComparing(reservation -> reservation.clusterQueue().equals(mine.name()))
        .thenComparing(this::byUsage)
        .thenComparingLong(QuotaReservation::priority)
        .thenComparing(QuotaReservation::reservedAt, Comparator.reverseOrder())
        .thenComparing(QuotaReservation::uid);
  }

  private int byUsage(QuotaReservation reservation, QuotaReservation other) {
    return reservation.clusterQueue().equals(other.clusterQueue())
        ? byUsage.compare(other.localQueuePath(), reservation.localQueuePath())
        : 0;
  }

  /** Those in an active queue that use something needed and that the policy gives away. */
  List<QuotaReservation> candidates(Node queue, PreemptionPolicy rule) {
    if (!spec(queue).active()) {
      return List.of();
    }
    return held.stream()
        .filter(reservation -> reservation.clusterQueue().equals(queue.name()))
        .filter(reservation ->
            needed.stream().anyMatch(flavorResource -> reservation.usage().get(flavorResource) > 0))
        .filter(reservation -> satisfies(rule, reservation))
        .sorted(order())
        .toList();
  }

  private boolean satisfies(PreemptionPolicy rule, QuotaReservation reservation) {
    boolean lower = workload.priority() > reservation.priority();
    boolean equal = workload.priority() == reservation.priority();
    return switch (rule) {
      case NEVER -> false;
      case ANY -> true;
      case LOWER_PRIORITY -> lower;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
          lower || (equal && workload.since().isBefore(reservation.precedence().since()));
    };
  }

  /** Whether a node uses more than its own of something that is needed. */
  boolean borrowsNeeded(Node node) {
    return needed.stream().anyMatch(flavorResource -> quota.borrows(node, flavorResource, 0));
  }

  /**
   * A request of zero does not count as borrowing, unlike in Kueue:
   * docs/specification/preemption.md#fit.
   */
  boolean fits(boolean mayBorrow) {
    return request.entries().stream()
        .filter(amount -> amount.getValue() > 0)
        .allMatch(amount ->
            amount.getValue() <= quota.available(mine, amount.getKey())
                && (mayBorrow || !quota.borrows(mine, amount.getKey(), amount.getValue())));
  }

  void remove(Target target) {
    quota.use(target.victim().clusterQueue(), target.victim().usage(), -1);
    removed.add(target);
  }

  private void addBack(Target target) {
    quota.use(target.victim().clusterQueue(), target.victim().usage(), 1);
  }

  /**
   * Fills back from the second to last to the first; the last takes the place of one that stays.
   */
  List<Target> filledBack(boolean mayBorrow) {
    for (int i = removed.size() - 2; i >= 0; i--) {
      Target target = removed.get(i);
      addBack(target);
      if (fits(mayBorrow)) {
        removed.set(i, removed.getLast());
        removed.removeLast();
      } else {
        quota.use(target.victim().clusterQueue(), target.victim().usage(), -1);
      }
    }
    return List.copyOf(removed);
  }

  void restore() {
    removed.forEach(this::addBack);
    removed.clear();
  }
}
