package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.ClassicalOrder;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.Ranked;
import dev.sluice.engine.admission.cycle.ReclaimersFirst;
import dev.sluice.engine.admission.pending.AmountFrontier;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.QueuePrecheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A rehearsal of a cycle without fair sharing: which entries are admitted, as far as that is
 * certain.
 *
 * <p>Goal: not to nominate the heads of many queues that would only be skipped, since there is
 * quota for few of them. Method: the entry that comes first is admitted and takes its part; then
 * the next, and so on, until one comes that may reserve something. When the turn of a queue comes,
 * at the earliest, is known from its {@linkplain QueuePrecheck precheck}; its head is looked up
 * only then. A queue where no workload fits beside the admitted ones is left out.
 *
 * <p>The heads are those with which the cycle begins: a queue whose head is skipped sends no other.
 */
final class CyclePrecheck {
  /** Where there is quota for more, most of the heads that are nominated are admitted. */
  private static final int MAX_ADMITTED = 16;

  private final LowestShareFirst heads;
  private final PriorityQueue<Position> positions;
  private final List<PrecheckedEntry> admitted = new ArrayList<>();
  private final List<PendingEntry> tooLate = new ArrayList<>();
  private final List<QueuePrecheck> selected = new ArrayList<>();
  private final ReclaimersFirst reclaimers = new ReclaimersFirst();

  /**
   * The earliest position in the order of the cycle that an entry can have.
   *
   * @param next the workload that it stands for, at the earliest
   * @param queue that of a head that was not nominated yet; null if it was
   * @param known the entry; null if the head of the queue must be looked up
   */
  private record Position(
      boolean isPreemptor,
      int level,
      AmountFrontier.Step next,
      @Nullable QueuePrecheck queue,
      @Nullable CycleEntry known)
      implements Ranked {

    /** That of an entry. */
    static Position of(CycleEntry known, @Nullable QueuePrecheck queue) {
      return new Position(
          known.isPreemptor(), known.level(), AmountFrontier.Step.of(known.entry()), queue, known);
    }

    /** That of the head of a queue. */
    static Position of(QueuePrecheck queue) {
      return new Position(false, queue.mustBorrow() ? 1 : 0, queue.next(), queue, null);
    }

    @Override
    public PendingEntry entry() {
      return next.entry();
    }

    @Override
    public long priority() {
      return next.priority();
    }

    @Override
    public long seconds() {
      return next.seconds();
    }
  }

  /**
   * @param deferred the queues of which a workload fits
   * @param active entries of other queues that may take, reserve or free something
   */
  CyclePrecheck(
      AdmissionRules rules,
      LowestShareFirst heads,
      List<QueuePrecheck> deferred,
      List<CycleEntry> active) {
    this.heads = heads;
    this.positions =
        new PriorityQueue<>(deferred.size() + active.size() + 1, new ClassicalOrder(rules));
    for (CycleEntry entry : active) {
      positions.add(Position.of(entry, null));
    }
    boolean certain = true;
    for (QueuePrecheck queue : deferred) {
      if (rules.prioritySorting()) {
        positions.add(Position.of(queue));
      } else {
        certain &= addHead(queue); // the first by age is not known
      }
    }
    while (certain && admitted.size() < MAX_ADMITTED && !positions.isEmpty()) {
      if (reclaimers.defers(positions.peek().level > 0)) {
        deferBorrowers();
      } else {
        certain = process(positions.remove());
      }
    }
    leaveOutBlocked();
    positions.forEach(position -> select(position.queue));
    admitted.forEach(PrecheckedEntry::removeUsage);
  }

  /** All that are left would borrow: they are tried in the next cycle. */
  private void deferBorrowers() {
    for (Position position : positions) {
      if (position.queue != null) {
        position.queue.queue().retryHead();
      }
    }
    positions.clear();
  }

  /** The entries that are certainly admitted, in order. */
  List<PrecheckedEntry> admitted() {
    return admitted;
  }

  /**
   * Heads that come too late, although another workload of their queue may fit in a later cycle.
   */
  List<PendingEntry> tooLate() {
    return tooLate;
  }

  /** The queues, without those of the admitted entries, whose heads should be nominated. */
  List<QueuePrecheck> selected() {
    return selected;
  }

  /** Returns whether it is certain which entry comes next. */
  private boolean process(Position position) {
    return switch (position.known) {
      case null -> position.queue == null || lookUpHead(position.queue);
      case PrecheckedEntry entry -> process(entry, position.queue);
      case CycleEntry _ -> false;
    };
  }

  private boolean lookUpHead(QueuePrecheck queue) {
    if (isLeftOut(queue)) {
      leaveOutBlocked();
      return true;
    }
    admitted.forEach(PrecheckedEntry::removeUsage);
    boolean certain = addHead(queue);
    admitted.forEach(PrecheckedEntry::addUsage);
    return certain;
  }

  /** Returns whether it is certain that the head of a queue fits. */
  private boolean addHead(QueuePrecheck queue) {
    Optional<PrecheckedEntry> head = heads.head(queue);
    head.ifPresentOrElse(
        entry -> positions.add(Position.of(entry, queue)), () -> selected.add(queue));
    return head.isPresent();
  }

  private boolean process(PrecheckedEntry entry, @Nullable QueuePrecheck queue) {
    if (entry.queue().fitLevel(entry.entry()).isPresent()) {
      admitted.add(entry);
      entry.addUsage();
      reclaimers.admitted(entry);
    } else if (entry.entry().group().isBlocked()) {
      tooLate.add(entry.entry());
    } else {
      select(queue); // it may preempt others
    }
    return true;
  }

  private void select(@Nullable QueuePrecheck queue) {
    if (queue != null) {
      selected.add(queue);
    }
  }

  /** Leaves out all queues where no workload fits beside the admitted ones. */
  private void leaveOutBlocked() {
    positions.removeIf(position -> position.queue != null && isLeftOut(position.queue));
  }

  private static boolean isLeftOut(QueuePrecheck queue) {
    boolean blocked = !queue.mayFit();
    if (blocked) {
      queue.queue().stopReconsidering();
    }
    return blocked;
  }
}
