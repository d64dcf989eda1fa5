package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.LastNomination;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Optional;

/**
 * The head of a queue with the flavors found for it and, if it does not fit, its victims.
 *
 * @param level how far up the cohort tree it borrows
 * @param targets the victims; empty if it fits, or if preemption would not help. A sibling is a
 *     victim though the workload fits
 * @param gated whether there are victims, but the workload may not preempt
 * @param epoch that of the queue when this was found
 * @param version that of the ledger when this was found
 */
public record Nomination(
    PendingQueue queue,
    PendingEntry entry,
    Assignment assignment,
    int level,
    List<Target> targets,
    boolean gated,
    long epoch,
    long version)
    implements CycleEntry, Turn, LastNomination {

  public Nomination {
    targets = List.copyOf(targets);
  }

  /** What the last nomination of an entry found, unless the entry was requeued since. */
  public static Optional<Nomination> last(PendingQueue queue, PendingEntry entry) {
    return entry.lastNomination(queue.epoch()).map(Nomination.class::cast);
  }

  public AssignmentMode mode() {
    return assignment.mode();
  }

  @Override
  public Usage usage() {
    return assignment.usage();
  }

  @Override
  public boolean borrowsAtOnce() {
    return level > 0 && mode() == AssignmentMode.FIT && targets.isEmpty();
  }

  /** A workload for which others were preempted in vain has no precedence. */
  @Override
  public boolean isPreemptor() {
    return canProceed() && CycleEntry.super.isPreemptor();
  }

  /** Whether it fits, or would with its victims gone. */
  boolean canProceed() {
    return mode() == AssignmentMode.FIT || !targets.isEmpty();
  }

  /** Whether there are victims, and all of them still hold quota. */
  public boolean victimsHold(QuotaLedger ledger) {
    for (Target target : targets) {
      if (ledger.reservation(target.victim().path()).isEmpty()) {
        return false;
      }
    }
    return !targets.isEmpty();
  }

  /** Brings the entry into the cycle: it is requeued if it was inadmissible, and remembers this. */
  public Nomination takePart() {
    queue.requeue(entry);
    entry.remember(this);
    return this;
  }

  @Override
  public Turn turn(Reserves reserves) {
    return this;
  }
}
