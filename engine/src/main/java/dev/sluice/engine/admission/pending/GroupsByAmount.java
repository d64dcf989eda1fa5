package dev.sluice.engine.admission.pending;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Some of the groups of an {@link AmountIndex}, by amount and then in line. What they are compared
 * by is kept in arrays, as the groups themselves are spread over the memory.
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
    return compare(0, amount, group) > 0;
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

  /** Moves the half with the larger amounts to a shelf of its own. */
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

  /** Goes on with the stairs of those who need less. */
  void climb(AmountFrontier stairs) {
    if (!stairs.leadsTo(seconds[first], groups.get(first))) {
      return;
    }
    for (int i = 0; i <= first; i++) {
      if (stairs.leadsTo(seconds[i], groups.get(i))) {
        stairs.add(amounts[i], groups.get(i));
      }
    }
  }

  EquivalenceGroup group(int place) {
    return groups.get(place);
  }

  long amount(int place) {
    return amounts[place];
  }

  /** Where the first in line is of those who need no more than an amount, which some do. */
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

  /** Where the first in line of so many is; 0 if there is none. */
  private int firstOf(int many) {
    int found = 0;
    for (int i = 1; i < many; i++) {
      found = earlier(found, i);
    }
    return found;
  }

  private int earlier(int one, int other) {
    if (seconds[one] != seconds[other]) {
      return seconds[one] < seconds[other] ? one : other;
    }
    return groups.get(one).compareTo(groups.get(other)) <= 0 ? one : other;
  }

  /** Where a group is, or belongs. */
  private int place(long amount, EquivalenceGroup group) {
    int low = 0;
    int high = groups.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, amount, group) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int place, long amount, EquivalenceGroup group) {
    if (amounts[place] != amount) {
      return Long.compare(amounts[place], amount);
    }
    long since = group.first().seconds();
    return seconds[place] != since
        ? Long.compare(seconds[place], since)
        : groups.get(place).compareTo(group);
  }
}
