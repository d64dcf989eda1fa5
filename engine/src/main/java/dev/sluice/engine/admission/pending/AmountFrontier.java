package dev.sluice.engine.admission.pending;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Of groups that each need an amount, those that no group precedes which needs less. The higher a
 * step, the earlier in the queue: so the highest step within an amount is the first of all groups
 * that need no more than that. There are few steps, however many groups there are.
 */
public final class AmountFrontier {
  private long[] amounts = new long[4];
  private Step[] steps = new Step[4];
  private int size;

  /**
   * An entry and what it is mostly compared by. That is kept right here, as hundreds are compared
   * for a decision, and the entries are spread over the memory.
   */
  public record Step(long priority, long seconds, PendingEntry entry) implements Comparable<Step> {

    public static Step of(PendingEntry entry) {
      return new Step(entry.priority(), entry.seconds(), entry);
    }

    @Override
    public int compareTo(Step other) {
      return QueueOrder.compare(
          priority, seconds, entry, other.priority, other.seconds, other.entry);
    }
  }

  /** Whether a group with a larger amount than all so far precedes them. */
  boolean isExtendedBy(long seconds, EquivalenceGroup group) {
    if (size == 0) {
      return true;
    }
    Step top = steps[size - 1];
    return seconds != top.seconds ? seconds < top.seconds : group.first().compareTo(top.entry) < 0;
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

  /** The first of all groups that need no more than an amount. */
  @Nullable Step within(long most) {
    int step = size - 1;
    while (step >= 0 && amounts[step] > most) {
      step--;
    }
    return step < 0 ? null : steps[step];
  }
}
