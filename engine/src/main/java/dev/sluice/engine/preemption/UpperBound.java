package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.QuotaCell;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * An upper bound of what a workload of a ClusterQueue can get now, free or by preemption. It is
 * cheap and never too low: a workload that asks for more certainly does not fit.
 *
 * <p>Workloads of a lower priority in the same queue may be preempted, if the queue's policy says
 * so. Other queues give back what is the queue's own; in a deeper tree, while borrowing, and with
 * fair sharing they may lose more, but never so much that the queue exceeds what it could use if
 * all others were idle.
 *
 * <p>There are few different bounds, and they are read for every queue that may profit from a
 * change, so all queues share them.
 */
public final class UpperBound {
  private static final Map<PreemptionPolicy, UpperBound> ALONE = all(false, false);
  private static final Map<PreemptionPolicy, UpperBound> RECLAIMING = all(true, false);
  private static final Map<PreemptionPolicy, UpperBound> TAKING_BACK_ITS_OWN = all(true, true);

  private final PreemptionPolicy withinQueue;
  private final boolean reclaims;
  private final boolean ownOnly;

  private UpperBound(PreemptionPolicy withinQueue, boolean reclaims, boolean ownOnly) {
    this.withinQueue = withinQueue;
    this.reclaims = reclaims;
    this.ownOnly = ownOnly;
  }

  private static Map<PreemptionPolicy, UpperBound> all(boolean reclaims, boolean ownOnly) {
    var all = new EnumMap<PreemptionPolicy, UpperBound>(PreemptionPolicy.class);
    for (PreemptionPolicy policy : PreemptionPolicy.values()) {
      all.put(policy, new UpperBound(policy, reclaims, ownOnly));
    }
    return all;
  }

  /**
   * The bound for a queue.
   *
   * @param node that of the queue
   */
  public static UpperBound of(QuotaNode node, QueueSpec queue, boolean fair) {
    return Objects.requireNonNull(
        some(node, queue.preemption(), fair).get(queue.preemption().withinQueue()));
  }

  private static Map<PreemptionPolicy, UpperBound> some(
      QuotaNode node, QueueSpec.Preemption policy, boolean fair) {
    QuotaNode parent = node.parent();
    if (parent == null || policy.withinCohort() == PreemptionPolicy.NEVER) {
      return ALONE;
    }
    boolean flat = parent.parent() == null;
    return flat && !fair && !policy.whileBorrowing() ? TAKING_BACK_ITS_OWN : RECLAIMING;
  }

  /**
   * The most that a workload of some priority can get.
   *
   * @param cell that of the queue for the flavor and resource
   */
  public long most(QuotaCell cell, long priority) {
    long most = Math.max(0, cell.available());
    if (reclaims) {
      long limit = ownOnly ? cell.nominal() : cell.potential();
      most = Math.max(most, Amounts.difference(limit, cell.usage()));
    }
    return Amounts.sum(most, ownToGive(cell, priority));
  }

  private long ownToGive(QuotaCell cell, long priority) {
    return switch (withinQueue) {
      case NEVER -> 0;
      case ANY -> cell.usage();
      case LOWER_PRIORITY -> cell.usedBelow(priority);
      case LOWER_OR_NEWER_EQUAL_PRIORITY -> cell.usedBelow(priority + 1);
    };
  }
}
