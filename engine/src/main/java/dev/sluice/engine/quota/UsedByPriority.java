package dev.sluice.engine.quota;

import dev.sluice.model.Amounts;
import java.util.Arrays;

/**
 * The usage of reservations by priority. There are few priorities, and they are read for every
 * queue that may profit from a change, so they are kept in sorted arrays; the lowest is cached,
 * since most preemptors have no higher one. As in a {@link QuotaCell}, amounts are without the
 * multiples of 2^63.
 */
final class UsedByPriority {
  private long[] priorities = new long[2];
  private long[] amounts = new long[2];
  private int[] wraps = new int[2];
  private int allWraps; // mostly 0, so that the array need not be read
  private int size;
  private long lowest = Long.MAX_VALUE;

  /** The usage below a priority. */
  long below(long priority) {
    if (priority <= lowest) {
      return 0;
    }
    long sum = 0;
    for (int i = 0; i < size && priorities[i] < priority; i++) {
      sum = Amounts.sum(sum, allWraps == 0 || wraps[i] == 0 ? amounts[i] : Amounts.UNLIMITED);
    }
    return sum;
  }

  /** Adds an amount, which may be negative. */
  void add(long priority, long amount) {
    int at = 0;
    while (at < size && priorities[at] < priority) {
      at++;
    }
    if (at == size || priorities[at] != priority) {
      insert(at, priority);
    }
    amounts[at] += amount;
    if (amounts[at] < 0) {
      int more = amount < 0 ? -1 : 1;
      amounts[at] &= Long.MAX_VALUE;
      wraps[at] += more;
      allWraps += more;
    }
    if (amounts[at] == 0 && wraps[at] == 0) {
      remove(at);
    }
    lowest = size == 0 ? Long.MAX_VALUE : priorities[0];
  }

  private void insert(int at, long priority) {
    if (size == priorities.length) {
      priorities = Arrays.copyOf(priorities, 2 * size);
      amounts = Arrays.copyOf(amounts, 2 * size);
      wraps = Arrays.copyOf(wraps, 2 * size);
    }
    System.arraycopy(priorities, at, priorities, at + 1, size - at);
    System.arraycopy(amounts, at, amounts, at + 1, size - at);
    System.arraycopy(wraps, at, wraps, at + 1, size - at);
    priorities[at] = priority;
    amounts[at] = 0;
    wraps[at] = 0;
    size++;
  }

  private void remove(int at) {
    size--;
    System.arraycopy(priorities, at + 1, priorities, at, size - at);
    System.arraycopy(amounts, at + 1, amounts, at, size - at);
    System.arraycopy(wraps, at + 1, wraps, at, size - at);
  }
}
