package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.quota.Usage;
import java.util.List;

/**
 * The head of a line with the flavors found for it.
 *
 * @param targets who must give way; empty if it fits, or if that would not help. Siblings give way
 *     though it fits
 * @param gated whether others would have to give way, but it may not evict them
 * @param level how far up the tree it borrows
 * @param epoch that of the line when this was found
 * @param version that of the ledger when this was found
 */
public record Nomination(
    PendingQueue line,
    PendingEntry item,
    Assignment assignment,
    int level,
    List<Target> targets,
    boolean gated,
    long epoch,
    long version)
    implements CycleEntry {

  public Nomination {
    targets = List.copyOf(targets);
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

  /** Whoever others gave way to in vain has to wait like everybody else. */
  @Override
  public boolean isPreemptor() {
    return (mode() == AssignmentMode.FIT || !targets.isEmpty()) && CycleEntry.super.isPreemptor();
  }
}
