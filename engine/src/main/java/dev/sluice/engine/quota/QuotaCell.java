package dev.sluice.engine.quota;

import static dev.sluice.model.Amounts.UNLIMITED;
import static dev.sluice.model.Amounts.difference;
import static dev.sluice.model.Amounts.sum;

import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The quota and usage of one flavor and resource at one node of the tree, linked to the cell of the
 * node above.
 *
 * <p>What a node does not lend ({@link #local}) is used first and never counted above; usage beyond
 * it is counted by the parent too. Amounts saturate at {@link dev.sluice.model.Amounts#UNLIMITED}.
 * Free quota stays within what can be counted, but an admission from elsewhere may hold any amount,
 * and what is on trial or reserved in a cycle comes on top: usage is counted exactly however large
 * it is, so what is added can always be removed again.
 */
public final class QuotaCell {
  private static final long COUNTABLE = UNLIMITED - 1;

  private final Quota quota;
  private final long nominal;
  private final long borrowingLimit;
  private final @Nullable QuotaCell parent;
  private int height;
  private long subtree;
  private long local;
  private long usage; // without the multiples of 2^63, which are in wraps
  private int wraps;
  private final UsedByPriority byPriority = new UsedByPriority();

  QuotaCell(Quota quota, @Nullable QuotaCell parent, int height) {
    this.quota = quota;
    this.nominal = quota.nominal();
    this.borrowingLimit = quota.borrowingLimit().orElse(UNLIMITED);
    this.parent = parent;
    this.height = height;
    this.subtree = quota.nominal();
  }

  public long nominal() {
    return nominal;
  }

  Quota quota() {
    return quota;
  }

  /** The quota of the node and of all nodes below it, without what those do not lend. */
  long subtree() {
    return subtree;
  }

  /** The quota that the node does not lend. */
  long local() {
    return local;
  }

  /** The usage; unlimited if it is more than an amount can express. */
  public long usage() {
    return wraps == 0 ? usage : wraps > 0 ? UNLIMITED : usage | Long.MIN_VALUE;
  }

  /** The usage, however large it is. */
  BigInteger exactUsage() {
    return BigInteger.valueOf(wraps).shiftLeft(Long.SIZE - 1).add(BigInteger.valueOf(usage));
  }

  /** Called once for every child before {@link #settle}. */
  void receive(long lent) {
    subtree = sum(subtree, lent);
  }

  /**
   * Computes the local quota, once all children have lent theirs; returns what is lent to the
   * parent.
   *
   * @param levels how many levels are below the node
   */
  long settle(int levels) {
    height = levels;
    local =
        quota.lendingLimit().isPresent()
            ? Math.max(0, difference(subtree, quota.lendingLimit().getAsLong()))
            : 0;
    return subtree == UNLIMITED && local == UNLIMITED
        ? quota.lendingLimit().orElse(0)
        : difference(subtree, local);
  }

  long localAvailable() {
    return Math.max(0, difference(local, usage()));
  }

  /**
   * The quota that is still available here; negative at a node whose quota was cut below its usage.
   */
  public long available() {
    if (parent == null) {
      return difference(Math.min(subtree, COUNTABLE), usage());
    }
    long above = Math.min(parent.available(), mayBorrow());
    return Math.min(sum(localAvailable(), above), difference(COUNTABLE, usage()));
  }

  /** The amount that may still be borrowed from the parent. */
  long mayBorrow() {
    if (borrowingLimit == UNLIMITED) {
      return UNLIMITED;
    }
    long stored = Math.max(0, difference(usage(), local));
    long mayStore = sum(difference(subtree, local), borrowingLimit);
    return difference(mayStore, stored);
  }

  /** The quota that would be available if nothing were used anywhere. */
  public long potential() {
    if (parent == null) {
      return subtree;
    }
    long lent = sum(local, parent.potential());
    return Math.min(lent, sum(subtree, borrowingLimit));
  }

  /** Whether the node would borrow if it used so much more. */
  public boolean borrowsWith(long more) {
    return sum(usage(), more) > subtree;
  }

  /**
   * How far up the tree an amount must be borrowed from: the height of the lowest node whose quota
   * can hold it, or of the root; 0 for the node's own quota.
   */
  public int level(long amount) {
    QuotaCell holder = holder(amount);
    return holder == this ? 0 : holder.height;
  }

  /** Whether there are nodes above that level to reclaim from. */
  public boolean mayReclaim(long amount) {
    return holder(amount).parent != null;
  }

  private QuotaCell holder(long amount) {
    QuotaCell at = this;
    long rest = amount;
    while (at.parent != null && at.borrowsWith(rest)) {
      rest = difference(rest, at.localAvailable());
      at = at.parent;
    }
    return at;
  }

  /** The usage of the reservations here whose priority is below another. */
  public long usedBelow(long priority) {
    return byPriority.below(priority);
  }

  /** {@linkplain #add Adds} the usage of a reservation. */
  public void hold(long priority, long amount) {
    byPriority.add(priority, amount);
    add(amount);
  }

  /** The opposite of {@link #hold}. */
  public void release(long priority, long amount) {
    byPriority.add(priority, -amount);
    remove(amount);
  }

  /** Counts an amount as used, here and above as far as the local quota does not cover it. */
  public void add(long amount) {
    long kept = localAvailable();
    count(amount);
    if (parent != null && amount > kept) {
      parent.add(amount - kept);
    }
  }

  /** The opposite of {@link #add}. */
  public void remove(long amount) {
    count(-amount);
    long kept = localAvailable();
    if (parent != null && amount > kept) {
      parent.remove(amount - kept);
    }
  }

  private void count(long change) {
    usage += change;
    if (usage < 0) {
      usage &= Long.MAX_VALUE;
      wraps += change < 0 ? -1 : 1;
    }
  }
}
