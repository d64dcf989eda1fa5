package dev.sluice.engine.quota;

import static dev.sluice.model.Amounts.UNLIMITED;
import static dev.sluice.model.Amounts.difference;
import static dev.sluice.model.Amounts.sum;

import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * One flavor and resource at one node of the tree, linked to the same one at the node above.
 *
 * <p>What a node keeps to itself ({@link #local}) is used first and never seen above; what goes
 * beyond is counted by the parent too. Amounts saturate at {@link
 * dev.sluice.model.Amounts#UNLIMITED}. What is free stays within what can be counted, but others
 * may say that they hold any amount, and what is only tried or claimed comes on top: usage is
 * counted exactly however large it is, so what is added can always be taken away again.
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
  private long usage; // without the multiples of 2^63, which are counted apart
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

  /** The quota of the node and all below it, as far as it is not kept further down. */
  long subtree() {
    return subtree;
  }

  /** What the node does not lend. */
  long local() {
    return local;
  }

  /** What is used; without limit if that is more than can be told. */
  public long usage() {
    return wraps == 0 ? usage : wraps > 0 ? UNLIMITED : usage | Long.MIN_VALUE;
  }

  /** What is used, however much it is. */
  BigInteger exactUsage() {
    return BigInteger.valueOf(wraps).shiftLeft(Long.SIZE - 1).add(BigInteger.valueOf(usage));
  }

  /** Called once for every child before {@link #settle}. */
  void receive(long lent) {
    subtree = sum(subtree, lent);
  }

  /**
   * Fixes what is kept here, once all children have given; returns what is lent to the parent.
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

  /** What more fits here; negative at a node whose quota was cut below its usage. */
  public long available() {
    if (parent == null) {
      return difference(Math.min(subtree, COUNTABLE), usage());
    }
    long above = Math.min(parent.available(), mayBorrow());
    return Math.min(sum(localAvailable(), above), difference(COUNTABLE, usage()));
  }

  /** What more of the parent's quota may be used from here. */
  long mayBorrow() {
    if (borrowingLimit == UNLIMITED) {
      return UNLIMITED;
    }
    long stored = Math.max(0, difference(usage(), local));
    long mayStore = sum(difference(subtree, local), borrowingLimit);
    return difference(mayStore, stored);
  }

  /** What would fit if nothing were used anywhere. */
  public long potential() {
    if (parent == null) {
      return subtree;
    }
    long most = sum(local, parent.potential());
    return Math.min(most, sum(subtree, borrowingLimit));
  }

  /** Whether it would use more than its own with as much in addition. */
  public boolean borrowsWith(long more) {
    return sum(usage(), more) > subtree;
  }

  /**
   * How far up the tree an amount must be taken from: the height of the lowest node whose quota can
   * hold it, or of the root; 0 for the node's own.
   */
  public int level(long amount) {
    QuotaCell holder = holder(amount);
    return holder == this ? 0 : holder.height;
  }

  /** Whether there is somebody above that level to reclaim from. */
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

  /** How much those with a reservation use here whose priority is below another. */
  public long usedBelow(long priority) {
    return byPriority.below(priority);
  }

  /** {@linkplain #add Adds} what a reservation takes. */
  public void hold(long priority, long amount) {
    byPriority.add(priority, amount);
    add(amount);
  }

  /** The opposite of {@link #hold}. */
  public void release(long priority, long amount) {
    byPriority.add(priority, -amount);
    remove(amount);
  }

  /** Counts an amount as used, here and above as far as it is not kept here. */
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
