package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.WaitingItem;
import dev.sluice.engine.admission.pending.WaitingLine;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.Mode;
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
    WaitingLine line,
    WaitingItem item,
    Assignment assignment,
    int level,
    List<Target> targets,
    boolean gated,
    long epoch,
    long version)
    implements Contender {

  public Nomination {
    targets = List.copyOf(targets);
  }

  public Mode mode() {
    return assignment.mode();
  }

  @Override
  public Usage usage() {
    return assignment.usage();
  }

  @Override
  public boolean borrowsAtOnce() {
    return level > 0 && mode() == Mode.FIT && targets.isEmpty();
  }

  /** Whoever others gave way to in vain has to wait like everybody else. */
  @Override
  public boolean isPreemptor() {
    return (mode() == Mode.FIT || !targets.isEmpty()) && Contender.super.isPreemptor();
  }
}
