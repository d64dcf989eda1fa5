package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.QueueOrder;
import java.util.Comparator;

/**
 * The order of entries without fair sharing: the lowest level of borrowing first, then the higher
 * priority, then the longest pending. The rules may place preemptors before all others, and leave
 * priority out.
 */
public final class ClassicalOrder implements Comparator<Ranked> {
  private final boolean preemptorsFirst;
  private final boolean prioritySorting;

  public ClassicalOrder(AdmissionRules rules) {
    this.preemptorsFirst = rules.preemptorsFirst();
    this.prioritySorting = rules.prioritySorting();
  }

  @Override
  public int compare(Ranked left, Ranked right) {
    if (preemptorsFirst && left.isPreemptor() != right.isPreemptor()) {
      return left.isPreemptor() ? -1 : 1;
    }
    if (left.level() != right.level()) {
      return Integer.compare(left.level(), right.level());
    }
    return prioritySorting
        ? QueueOrder.compare(
            left.priority(),
            left.seconds(),
            left.entry(),
            right.priority(),
            right.seconds(),
            right.entry())
        : left.entry().workload().compareAge(right.entry().workload());
  }
}
