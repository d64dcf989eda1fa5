package dev.sluice.engine.admission.pending;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Of groups that each need an amount, those before whom nobody stands who needs less. The higher a
 * step, the earlier in line: so the highest within reach is the first in line of all who need no
 * more than that. There are few of them, however many groups there are.
 */
public final class AmountFrontier {
  private long[] amounts = new long[4];
  private Step[] steps = new Step[4];
  private int size;

  /**
   * Somebody with a place in a line. What mostly tells who of several comes first is kept right
   * here, as hundreds are compared for a decision, and the items are spread over the memory.
   */
  public record Step(long priority, long seconds, PendingEntry item) implements Comparable<Step> {

    public static Step of(PendingEntry item) {
      return new Step(item.priority(), item.seconds(), item);
    }

    @Override
    public int compareTo(Step other) {
      if (priority != other.priority) {
        return Long.compare(other.priority, priority);
      }
      return seconds != other.seconds
          ? Long.compare(seconds, other.seconds)
          : item.compareTo(other.item);
    }
  }

  /** Whether a group with a larger amount than all so far stands before them. */
  boolean leadsTo(long seconds, EquivalenceGroup group) {
    if (size == 0) {
      return true;
    }
    Step top = steps[size - 1];
    return seconds != top.seconds ? seconds < top.seconds : group.first().compareTo(top.item) < 0;
  }

  void add(long amount, EquivalenceGroup group) {
    if (size == amounts.length) {
      amounts = Arrays.copyOf(amounts, 2 * size);
      steps = Arrays.copyOf(steps, 2 * size);
    }
    amounts[size] = amount;
    steps[size] = Step.of(group.first());
    size++;
  }

  /** The smallest amount. */
  long least() {
    return amounts[0];
  }

  /** The first in line of all who need no more than an amount. */
  @Nullable Step within(long most) {
    int step = size - 1;
    while (step >= 0 && amounts[step] > most) {
      step--;
    }
    return step < 0 ? null : steps[step];
  }
}
