package dev.sluice.engine.admission;

import dev.sluice.engine.queue.QueueSpec;
import java.util.List;

/**
 * What is known, at little cost, of a line whose workloads are all put aside: little enough memory
 * is touched that hundreds of lines can be looked through for each decision. It says nothing about
 * what others could be made to give.
 *
 * @param least of each thing that somebody lacks, the smallest amount
 * @param first the first in line, whether it can go or not
 */
record Outlook(List<Headroom.Demand> least, WaitingItem first) {
  Outlook {
    least = List.copyOf(least);
  }

  /**
   * Whether it says all that matters of a queue's line: nobody there takes anything from others, or
   * holds up those behind.
   */
  static boolean suffices(QueueSpec queue) {
    return !queue.strict() && !queue.sharesByUsage() && !queue.preempts();
  }

  /** Whether there is enough for anybody now. */
  boolean helpsAny() {
    for (Headroom.Demand demand : least) {
      if (demand.isFree()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the first who can go may be served before another. */
  boolean mayComeBefore(Contender.Glanced other) {
    int lowest = allBorrow() ? 1 : 0;
    return lowest != other.level() ? lowest < other.level() : first.compareTo(other.item()) < 0;
  }

  /** Whether nobody could go without borrowing. */
  private boolean allBorrow() {
    for (Headroom.Demand demand : least) {
      if (demand.level() == 0) {
        return false;
      }
    }
    return true;
  }
}
