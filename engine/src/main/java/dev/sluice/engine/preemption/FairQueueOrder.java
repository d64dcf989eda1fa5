package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Share;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ClusterQueues that still have candidates, in order of their shares: from the root down, the
 * child with the highest share comes first. A queue that no longer borrows is dropped for good.
 */
final class FairQueueOrder {
  private final PreemptionContext search;
  private final Map<String, Deque<QuotaReservation>> candidates = new LinkedHashMap<>();
  private final Set<QuotaNode> dropped = new LinkedHashSet<>();
  private final Set<QuotaNode> mine = new LinkedHashSet<>();

  /**
   * @param sorted the candidates, in preemption order within each queue
   */
  FairQueueOrder(PreemptionContext search, List<QuotaReservation> sorted) {
    this.search = search;
    sorted.forEach(
        held -> candidates.computeIfAbsent(held.clusterQueue(), _ -> new ArrayDeque<>()).add(held));
    for (QuotaNode node = search.node(); node != null; node = node.parent()) {
      mine.add(node);
    }
  }

  boolean has(QuotaNode queue) {
    Deque<QuotaReservation> left = candidates.get(queue.name());
    return left != null && !left.isEmpty();
  }

  QuotaReservation take(QuotaNode queue) {
    Deque<QuotaReservation> left = candidates.get(queue.name());
    if (left == null) {
      throw new IllegalStateException("no candidates in " + queue.name());
    }
    return left.removeFirst();
  }

  void drop(QuotaNode queue) {
    dropped.add(queue);
  }

  /** The queue whose candidate comes next. */
  Optional<QuotaNode> next() {
    QuotaNode root = search.node().root();
    if (root.isQueue()) {
      return has(root) && !dropped.contains(root) ? Optional.of(root) : Optional.empty();
    }
    while (!dropped.contains(root)) {
      Optional<QuotaNode> found = descend(root);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** The next queue below a cohort; empty if the cohort, or one below it, was dropped instead. */
  private Optional<QuotaNode> descend(QuotaNode cohort) {
    QuotaNode queue = bestQueue(cohort);
    QuotaNode child = bestCohort(cohort);
    if (queue == null && child == null) {
      dropped.add(cohort);
      return Optional.empty();
    }
    if (child != null && (queue == null || child.share().compareTo(queue.share()) >= 0)) {
      return descend(child);
    }
    return Optional.ofNullable(queue);
  }

  private @Nullable QuotaNode bestQueue(QuotaNode cohort) {
    QuotaNode best = null;
    Share highest = Share.ZERO;
    for (QuotaNode queue : cohort.queues()) {
      if (!has(queue) || (queue != search.node() && !queue.borrows())) {
        dropped.add(queue);
      }
      if (dropped.contains(queue)) {
        continue;
      }
      Share share = queue.share();
      int comparison = best == null ? 1 : share.compareTo(highest);
      if (comparison > 0 || (comparison == 0 && best != null && comesBefore(queue, best))) {
        best = queue;
        highest = share;
      }
    }
    return best;
  }

  private boolean comesBefore(QuotaNode queue, QuotaNode other) {
    QuotaReservation mineFirst = first(queue);
    QuotaReservation theirsFirst = first(other);
    return search.order().compare(mineFirst, theirsFirst) < 0;
  }

  private QuotaReservation first(QuotaNode queue) {
    Deque<QuotaReservation> left = candidates.get(queue.name());
    if (left == null) {
      throw new IllegalStateException("no candidates in " + queue.name());
    }
    return left.getFirst();
  }

  private @Nullable QuotaNode bestCohort(QuotaNode parent) {
    QuotaNode best = null;
    Share highest = Share.ZERO;
    for (QuotaNode cohort : parent.cohorts()) {
      if (!mine.contains(cohort) && !cohort.borrows()) {
        dropped.add(cohort);
      }
      if (!dropped.contains(cohort)) {
        Share share = cohort.share();
        if (best == null || share.compareTo(highest) >= 0) {
          best = cohort;
          highest = share;
        }
      }
    }
    return best;
  }
}
