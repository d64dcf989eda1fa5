package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.Cell;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;

/**
 * An upper bound of what a workload of a queue can get now, free or by preemption. It is cheap, and
 * never too low: who asks for more certainly cannot go.
 *
 * <p>Own workloads of a lower priority may give way, if the queue's policy says so. Strangers give
 * back what is the queue's own; in a deeper tree, while borrowing, and with fair sharing they may
 * give more, but never so much that the queue exceeds what it could use if nobody else used
 * anything.
 */
public final class UpperBound {
  private final PreemptionPolicy withinQueue;
  private final boolean reclaims;
  private final boolean ownOnly;

  /**
   * @param node that of the queue
   */
  public UpperBound(QuotaNode node, QueueSpec queue, boolean fair) {
    this.withinQueue = queue.preemption().withinQueue();
    QuotaNode parent = node.parent();
    this.reclaims = parent != null && queue.preemption().withinCohort() != PreemptionPolicy.NEVER;
    this.ownOnly =
        !fair && !queue.preemption().whileBorrowing() && parent != null && parent.parent() == null;
  }

  /**
   * The most that a workload of some priority can get.
   *
   * @param cell that of the queue for the flavor and resource
   */
  public long most(Cell cell, long priority) {
    long most = Math.max(0, cell.available());
    if (reclaims) {
      long limit = ownOnly ? cell.nominal() : cell.potential();
      most = Math.max(most, Amounts.difference(limit, cell.usage()));
    }
    return Amounts.sum(most, ownToGive(cell, priority));
  }

  private long ownToGive(Cell cell, long priority) {
    return switch (withinQueue) {
      case NEVER -> 0;
      case ANY -> cell.usage();
      case LOWER_PRIORITY -> cell.usedBelow(priority);
      case LOWER_OR_NEWER_EQUAL_PRIORITY -> cell.usedBelow(priority + 1);
    };
  }
}
