package dev.sluice.engine.admission.pending;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A chunk of the groups of an {@link AmountIndex}, by amount and then in the order of the queue.
 * What they are compared by is kept in arrays, as the groups themselves are spread over the memory.
 */
final class GroupsByAmount {
  static final int WIDTH = 128;

  private long[] amounts = new long[8];
  private long[] seconds = new long[8];
  private final List<EquivalenceGroup> groups = new ArrayList<>();
  private int first;

  boolean isEmpty() {
    return groups.isEmpty();
  }

  boolean isFull() {
    return groups.size() == WIDTH;
  }

  /** The smallest amount. */
  long least() {
    return amounts[0];
  }

  /** Whether a group, with its amount, belongs in front of all of them. */
  boolean isBehind(long amount, EquivalenceGroup group) {
    return compareAmount(0, amount, group) > 0;
  }

  void add(long amount, EquivalenceGroup group) {
    int size = groups.size();
    if (size == amounts.length) {
      amounts = Arrays.copyOf(amounts, 2 * size);
      seconds = Arrays.copyOf(seconds, 2 * size);
    }
    int place = place(amount, group);
    System.arraycopy(amounts, place, amounts, place + 1, size - place);
    System.arraycopy(seconds, place, seconds, place + 1, size - place);
    amounts[place] = amount;
    seconds[place] = group.first().seconds();
    groups.add(place, group);
    first = place <= first && size > 0 ? first + 1 : first;
    first = earlier(place, first);
  }

  void remove(long amount, EquivalenceGroup group) {
    int place = place(amount, group);
    if (place == groups.size() || groups.get(place) != group) {
      throw new IllegalStateException("the group of " + group.key + " is not where it should be");
    }
    groups.remove(place);
    int size = groups.size();
    System.arraycopy(amounts, place + 1, amounts, place, size - place);
    System.arraycopy(seconds, place + 1, seconds, place, size - place);
    first = place == first ? firstOf(size) : place < first ? first - 1 : first;
  }

  /** Moves the half with the larger amounts to a chunk of its own. */
  GroupsByAmount split() {
    int half = groups.size() / 2;
    var upper = new GroupsByAmount();
    List<EquivalenceGroup> moved = groups.subList(half, groups.size());
    upper.groups.addAll(moved);
    upper.amounts = Arrays.copyOfRange(amounts, half, half + WIDTH);
    upper.seconds = Arrays.copyOfRange(seconds, half, half + WIDTH);
    upper.first = upper.firstOf(moved.size());
    moved.clear();
    first = firstOf(half);
    return upper;
  }

  /** Extends the frontier of the chunks with smaller amounts. */
  void extend(AmountFrontier frontier) {
    if (!frontier.isExtendedBy(seconds[first], groups.get(first))) {
      return;
    }
    for (int i = 0; i <= first; i++) {
      if (frontier.isExtendedBy(seconds[i], groups.get(i))) {
        frontier.add(amounts[i], groups.get(i));
      }
    }
  }

  EquivalenceGroup group(int place) {
    return groups.get(place);
  }

  long amount(int place) {
    return amounts[place];
  }

  /** The index of the first group that needs no more than an amount, which some do. */
  int first(long most) {
    int last = groups.size() - 1;
    if (amounts[last] <= most) {
      return first;
    }
    int enough = 1;
    while (amounts[enough] <= most) {
      enough++;
    }
    return firstOf(enough);
  }

  /** The index of the first of so many groups; 0 if there is none. */
  private int firstOf(int many) {
    int found = 0;
    for (int i = 1; i < many; i++) {
      found = earlier(found, i);
    }
    return found;
  }

  private int earlier(int left, int right) {
    return compare(left, seconds[right], groups.get(right)) <= 0 ? left : right;
  }

  /** The index at which a group is, or belongs. */
  private int place(long amount, EquivalenceGroup group) {
    int low = 0;
    int high = groups.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compareAmount(middle, amount, group) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compareAmount(int place, long amount, EquivalenceGroup group) {
    if (amounts[place] != amount) {
      return Long.compare(amounts[place], amount);
    }
    return compare(place, group.first().seconds(), group);
  }

  private int compare(int place, long otherSeconds, EquivalenceGroup other) {
    return QueueOrder.compare(seconds[place], groups.get(place), otherSeconds, other);
  }
}
