package dev.sluice.engine.admission;

import dev.sluice.engine.preemption.UpperBound;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is known, at little cost, of a line whose workloads are all put aside: little enough memory
 * is touched that hundreds of lines can be looked through for each decision.
 *
 * @param line that it is about
 * @param least of each thing that somebody lacks, the smallest amount for each priority
 * @param first the first in line, whether it can go or not
 */
record Outlook(WaitingLine line, List<Lack> least, WaitingItem first) {
  Outlook {
    least = List.copyOf(least);
  }

  /** An amount that somebody of a priority needs, and that was not there when it was put aside. */
  record Lack(Cell cell, UpperBound bound, long priority, long amount) {

    private Prospect prospect() {
      long most = bound.most(cell, priority);
      if (amount > most) {
        return Prospect.NONE;
      }
      return most > Math.max(0, cell.available()) ? Prospect.UNKNOWN : Prospect.FREE;
    }
  }

  /** What a line can expect, as things stand. */
  enum Prospect {
    /** Nobody in it can go, whoever else is served, before quota comes back. */
    NONE,
    /** Somebody may go, who takes nothing from others. */
    FREE,
    /** It takes a closer look to say. */
    UNKNOWN
  }

  /** Whether it says anything of a queue's line: nobody there holds up those behind. */
  static boolean suffices(QueueSpec queue) {
    return !queue.strict() && !queue.sharesByUsage();
  }

  Prospect prospect() {
    var prospect = Prospect.NONE;
    for (Lack lack : least) {
      switch (lack.prospect()) {
        case NONE -> {}
        case FREE -> prospect = Prospect.FREE;
        case UNKNOWN -> {
          return Prospect.UNKNOWN; // others may have to give way
        }
      }
    }
    return prospect;
  }

  /** Whether somebody can go, or might. */
  boolean helpsAny() {
    return prospect() != Prospect.NONE;
  }

  /**
   * Those of some where somebody can go as things are.
   *
   * @param leavesOut told of the lines of the others
   */
  static List<Outlook> helped(List<Outlook> some, Consumer<WaitingLine> leavesOut) {
    var helped = new ArrayList<Outlook>();
    for (Outlook one : some) {
      if (one.helpsAny()) {
        helped.add(one);
      } else {
        leavesOut.accept(one.line);
      }
    }
    return helped;
  }

  /** Whether nobody could go without borrowing. */
  boolean mustBorrow() {
    for (Lack lack : least) {
      if (lack.cell.level(lack.amount) == 0) {
        return false;
      }
    }
    return true;
  }
}
