package dev.sluice.engine.admission.pending;

import dev.sluice.engine.preemption.UpperBound;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.QuotaCell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known, at little cost, of a line whose workloads are all put aside: little enough memory
 * is touched that hundreds of lines can be looked through for each decision.
 *
 * @param line that it is about
 * @param lacks of each thing that somebody lacks, the amounts for each priority, highest first
 */
public record QueuePrecheck(PendingQueue line, List<Lack> lacks) {
  public QueuePrecheck {
    lacks = List.copyOf(lacks);
  }

  /**
   * Amounts that some of a priority need, and that were not there when they were put aside.
   *
   * @param least the smallest of them
   */
  record Lack(QuotaCell cell, UpperBound bound, long priority, long least, AmountFrontier amounts) {

    private Prospect prospect() {
      long most = bound.most(cell, priority);
      if (least > most) {
        return Prospect.BLOCKED;
      }
      return most > Math.max(0, cell.available()) ? Prospect.UNKNOWN : Prospect.FITS;
    }

    /** The first in line for whom there is enough. */
    private AmountFrontier.@Nullable Step next() {
      return amounts.within(bound.most(cell, priority));
    }
  }

  /** What a line can expect, as things stand. */
  public enum Prospect {
    /** Nobody in it can go, whoever else is served, before quota comes back. */
    BLOCKED,
    /** Somebody may go, who takes nothing from others. */
    FITS,
    /** It takes a closer look to say. */
    UNKNOWN
  }

  /** Whether it says anything of a queue's line: nobody there holds up those behind. */
  static boolean suffices(QueueSpec queue) {
    return !queue.strict() && !queue.sharesByUsage();
  }

  public Prospect prospect() {
    var prospect = Prospect.BLOCKED;
    for (Lack lack : lacks) {
      switch (lack.prospect()) {
        case BLOCKED -> {}
        case FITS -> prospect = Prospect.FITS;
        case UNKNOWN -> {
          return Prospect.UNKNOWN; // others may have to give way
        }
      }
    }
    return prospect;
  }

  /** Who is next in line, if somebody can go. */
  public AmountFrontier.Step next() {
    AmountFrontier.Step next = null;
    for (Lack lack : lacks) {
      AmountFrontier.Step found = lack.next();
      if (next == null || (found != null && found.compareTo(next) < 0)) {
        next = found;
      }
    }
    if (next == null) {
      throw new IllegalStateException("nobody can go in the line of " + line.queue().name());
    }
    return next;
  }

  /** Whether somebody can go, or might. */
  public boolean helpsAny() {
    return prospect() != Prospect.BLOCKED;
  }

  /**
   * Those of some where somebody can go as things are.
   *
   * @param leavesOut told of the lines of the others
   */
  public static List<QueuePrecheck> helped(
      List<QueuePrecheck> some, Consumer<PendingQueue> leavesOut) {
    var helped = new ArrayList<QueuePrecheck>();
    for (QueuePrecheck one : some) {
      if (one.helpsAny()) {
        helped.add(one);
      } else {
        leavesOut.accept(one.line);
      }
    }
    return helped;
  }

  /** Whether nobody could go without borrowing. */
  public boolean mustBorrow() {
    for (Lack lack : lacks) {
      if (lack.cell.level(lack.least) == 0) {
        return false;
      }
    }
    return true;
  }
}
