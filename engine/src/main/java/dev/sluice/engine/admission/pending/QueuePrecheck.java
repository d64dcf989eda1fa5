package dev.sluice.engine.admission.pending;

import dev.sluice.engine.preemption.UpperBound;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.QuotaCell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known, at little cost, of a queue whose workloads are all inadmissible: so little memory
 * is touched that hundreds of queues can be prechecked for each decision.
 *
 * @param shortages of each flavor and resource that a workload lacks, the amounts for each
 *     priority, highest first
 */
public record QueuePrecheck(PendingQueue queue, List<Shortage> shortages) {
  public QueuePrecheck {
    shortages = List.copyOf(shortages);
  }

  /**
   * Amounts that workloads of a priority need, and that were not there when they were tried.
   *
   * @param least the smallest of them
   */
  record Shortage(
      QuotaCell cell, UpperBound bound, long priority, long least, AmountFrontier amounts) {

    private Result result() {
      long most = bound.most(cell, priority);
      if (least > most) {
        return Result.BLOCKED;
      }
      return most > Math.max(0, cell.available()) ? Result.UNKNOWN : Result.FITS;
    }

    /** The first workload for which there is enough. */
    private AmountFrontier.@Nullable Step next() {
      return amounts.within(bound.most(cell, priority));
    }
  }

  /** What a queue can expect, as quota stands. */
  public enum Result {
    /** No workload fits, whatever others get, before quota comes back. */
    BLOCKED,
    /** A workload may fit without preemption. */
    FITS,
    /** Only nominations can say. */
    UNKNOWN
  }

  /** Whether it says anything of a queue: its head does not hold up the workloads behind it. */
  static boolean isPossible(QueueSpec queue) {
    return !queue.strict() && !queue.sharesByUsage();
  }

  public Result result() {
    var result = Result.BLOCKED;
    for (Shortage shortage : shortages) {
      switch (shortage.result()) {
        case BLOCKED -> {}
        case FITS -> result = Result.FITS;
        case UNKNOWN -> {
          return Result.UNKNOWN; // there may be victims
        }
      }
    }
    return result;
  }

  /** The first workload that may fit, if there is one. */
  public AmountFrontier.Step next() {
    AmountFrontier.Step next = null;
    for (Shortage shortage : shortages) {
      AmountFrontier.Step found = shortage.next();
      if (next == null || (found != null && found.compareTo(next) < 0)) {
        next = found;
      }
    }
    if (next == null) {
      throw new IllegalStateException("no workload fits in ClusterQueue " + queue.spec().name());
    }
    return next;
  }

  /** Whether a workload fits, or may. */
  public boolean mayFit() {
    return result() != Result.BLOCKED;
  }

  /**
   * The queues in which a workload may fit as quota stands.
   *
   * @param leavesOut gets the other queues
   */
  public static List<QueuePrecheck> withoutBlocked(
      List<QueuePrecheck> queues, Consumer<PendingQueue> leavesOut) {
    var left = new ArrayList<QueuePrecheck>();
    for (QueuePrecheck precheck : queues) {
      if (precheck.mayFit()) {
        left.add(precheck);
      } else {
        leavesOut.accept(precheck.queue);
      }
    }
    return left;
  }

  /** Whether no workload fits without borrowing. */
  public boolean mustBorrow() {
    for (Shortage shortage : shortages) {
      if (shortage.cell.level(shortage.least) == 0) {
        return false;
      }
    }
    return true;
  }
}
