package dev.sluice.engine.admission;

import org.jspecify.annotations.Nullable;

/**
 * Groups by an amount that each of them needs.
 *
 * <p>Goal: among those who need no more than there is, find the first in line, however many others
 * there are. Method: a search tree by amount in which every node knows the first in line of all at
 * and below it; what is asked for is a part of one path. Ranks that look random, but are counted,
 * keep the tree flat (a treap).
 *
 * <p>A group must be taken out before its place in the line changes.
 */
final class AmountIndex {
  private @Nullable Node root;
  private long added;
  private long least = Long.MAX_VALUE;

  private static final class Node {
    private final long amount;
    private final WaitingGroup group;
    private final long rank;
    private @Nullable Node left;
    private @Nullable Node right;
    private WaitingGroup first;

    Node(long amount, WaitingGroup group, long rank) {
      this.amount = amount;
      this.group = group;
      this.rank = rank;
      this.first = group;
    }

    int compare(long otherAmount, WaitingGroup other) {
      return amount != otherAmount ? Long.compare(amount, otherAmount) : group.compareTo(other);
    }

    Node noteFirst() {
      first = group;
      if (left != null && left.first.compareTo(first) < 0) {
        first = left.first;
      }
      if (right != null && right.first.compareTo(first) < 0) {
        first = right.first;
      }
      return this;
    }
  }

  boolean isEmpty() {
    return root == null;
  }

  /** The smallest amount that anybody needs. */
  long least() {
    return least;
  }

  void add(long amount, WaitingGroup group) {
    least = Math.min(least, amount);
    added++;
    root = add(root, new Node(amount, group, scattered(added)));
  }

  void remove(long amount, WaitingGroup group) {
    root = remove(root, amount, group);
    if (amount == least) {
      least = leastOf(root);
    }
  }

  private static long leastOf(@Nullable Node root) {
    long least = Long.MAX_VALUE;
    for (Node node = root; node != null; node = node.left) {
      least = node.amount;
    }
    return least;
  }

  /** The first in line of all. */
  @Nullable WaitingGroup first() {
    return root == null ? null : root.first;
  }

  /** The first in line of those who need no more than an amount. */
  @Nullable WaitingGroup first(long most) {
    WaitingGroup first = null;
    Node node = root;
    while (node != null) {
      if (node.amount > most) {
        node = node.left;
        continue;
      }
      first = earlier(first, node.group);
      first = node.left == null ? first : earlier(first, node.left.first);
      node = node.right;
    }
    return first;
  }

  private static WaitingGroup earlier(@Nullable WaitingGroup one, WaitingGroup other) {
    return one != null && one.compareTo(other) < 0 ? one : other;
  }

  private static Node add(@Nullable Node at, Node fresh) {
    if (at == null) {
      return fresh;
    }
    if (at.compare(fresh.amount, fresh.group) > 0) {
      Node left = add(at.left, fresh);
      at.left = left;
      if (left.rank > at.rank) {
        at.left = left.right;
        left.right = at.noteFirst();
        return left.noteFirst();
      }
    } else {
      Node right = add(at.right, fresh);
      at.right = right;
      if (right.rank > at.rank) {
        at.right = right.left;
        right.left = at.noteFirst();
        return right.noteFirst();
      }
    }
    return at.noteFirst();
  }

  private static @Nullable Node remove(@Nullable Node at, long amount, WaitingGroup group) {
    if (at == null) {
      return null;
    }
    int comparison = at.compare(amount, group);
    if (comparison == 0) {
      return merge(at.left, at.right);
    }
    if (comparison > 0) {
      at.left = remove(at.left, amount, group);
    } else {
      at.right = remove(at.right, amount, group);
    }
    return at.noteFirst();
  }

  /** All of both; those of the first come before those of the second. */
  private static @Nullable Node merge(@Nullable Node one, @Nullable Node other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    if (one.rank > other.rank) {
      one.right = merge(one.right, other);
      return one.noteFirst();
    }
    other.left = merge(one, other.left);
    return other.noteFirst();
  }

  /** Spreads consecutive numbers over all of the range, by two odd factors of the golden ratio. */
  private static long scattered(long number) {
    long mixed = number * 0x9E3779B97F4A7C15L;
    return (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
  }
}
