package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.pending.EquivalenceGroup;
import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.List;
import java.util.Optional;

/**
 * Nominations by what was found for an equivalent workload: the same is found again while the quota
 * that counts stands as it did then.
 */
final class RememberedNominations {
  private final Nominator nominator;
  private final PreemptionSearch preemption;

  RememberedNominations(Nominator nominator, PreemptionSearch preemption) {
    this.nominator = nominator;
    this.preemption = preemption;
  }

  /** A nomination, remembered if possible. */
  Nomination nominate(PendingQueue queue, PendingEntry entry) {
    return find(queue, entry)
        .orElseGet(() -> {
          Nomination found = nominator.nominate(queue, entry);
          remember(found);
          return found;
        });
  }

  /**
   * The nomination of an entry that fits and has no choice of flavors.
   *
   * @param level how far up the cohort tree it borrows
   */
  Nomination nominateFitting(PendingQueue queue, PendingEntry entry, int level) {
    Optional<Assignment> fit = entry.group().fit().filter(found -> found.level() == level);
    if (fit.isPresent()) {
      return nominator.nomination(queue, entry, fit.get(), List.of());
    }
    Nomination found = nominate(queue, entry);
    if (found.mode() == AssignmentMode.FIT) {
      entry.group().rememberFit(found.assignment());
    }
    return found;
  }

  /** Remembers what was found for an entry that does not fit, if it helps equivalent ones. */
  void remember(Nomination found) {
    if (found.mode() != AssignmentMode.FIT
        && isPlain(found.queue(), found.entry())
        && isRepeatable(found.entry().group())) {
      found.entry().group().rememberNoFit(found.assignment());
    }
  }

  /** The nomination of an entry that does not fit; empty if it must be searched. */
  Optional<Nomination> find(PendingQueue queue, PendingEntry entry) {
    EquivalenceGroup group = entry.group();
    if (!isPlain(queue, entry)) {
      return Optional.empty();
    }
    EquivalenceGroup.RememberedNoFit noFit = group.noFit();
    if (noFit == null || !isRepeatable(group)) {
      return Optional.empty();
    }
    Assignment found = noFit.found();
    boolean searches = found.mode().needsPreemption() && !group.exceedsUpperBound();
    List<Target> targets =
        searches ? preemption.targets(entry.workload(), found.usage(), noFit.needed()) : List.of();
    return found.mode() == AssignmentMode.NO_FIT || leadsTo(found, entry, targets)
        ? Optional.of(nominator.nomination(queue, entry, found, targets))
        : Optional.empty();
  }

  /**
   * Whether what is found for one of a group depends only on how its amounts stand, and on the
   * victims for the whole. Of several amounts, each is assigned by a search of its own.
   */
  private static boolean isRepeatable(EquivalenceGroup group) {
    return group.demands().size() == 1 || group.exceedsUpperBound();
  }

  /** Whether an assignment is the one that these victims lead to. */
  private boolean leadsTo(Assignment found, PendingEntry entry, List<Target> targets) {
    if (found.mode() != AssignmentMode.after(targets, entry.workload().clusterQueue())) {
      return false;
    }
    if (targets.isEmpty()) {
      return true;
    }
    Headroom.Demand only = entry.group().demands().getFirst();
    return found.level() == preemption.levelWithout(targets, only.cell(), only.amount());
  }

  /** Whether its pods are all alike and all needed, and no flavor was tried yet. */
  private static boolean isPlain(PendingQueue queue, PendingEntry entry) {
    PendingWorkload workload = entry.workload();
    return workload.podSets().size() == 1
        && !Nominator.canShrink(workload)
        && !entry.cursor(queue.epoch()).unfinished();
  }
}
