package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.flavor.FlavorAssigner;
import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QuotaLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The search for the flavors of a head and, if it does not fit, for its victims. It changes
 * nothing.
 */
public final class Nominator {
  private final QuotaLedger ledger;
  private final PreemptionSearch preemption;
  private final Siblings siblings;
  private final FlavorAssigner assigner;
  private final boolean partial;

  public Nominator(QuotaLedger ledger, AdmissionRules rules, PreemptionSearch preemption) {
    this.ledger = ledger;
    this.preemption = preemption;
    this.siblings = new Siblings(ledger);
    this.assigner = new FlavorAssigner(ledger, preemption, rules.flavors());
    this.partial = rules.partialAdmission();
  }

  /**
   * The best that can be found for an entry: flavors that fit, else victims, else with fewer pods.
   */
  public Nomination nominate(PendingQueue queue, PendingEntry entry) {
    PendingWorkload workload = entry.workload();
    FlavorCursor cursor = entry.cursor(queue.epoch());
    Attempt full = attempt(workload, workload.podSets(), cursor);
    Attempt best = full;
    if (full.assignment().mode() != AssignmentMode.FIT && queue.isPreemptor(entry)) {
      // what its victims left is used before it preempts others
      best = fitting(workload, workload.podSets(), cursor).orElse(full);
    }
    if (!best.succeeds() && partial && canShrink(workload)) {
      best = shrink(workload).orElse(full);
    }
    return nomination(queue, entry, best.assignment(), best.targets());
  }

  /** The nomination of an entry for which flavors and victims are known. */
  public Nomination nomination(
      PendingQueue queue, PendingEntry entry, Assignment assignment, List<Target> victims) {
    boolean gated = !entry.workload().mayPreempt() && !victims.isEmpty();
    List<Target> targets = gated ? List.of() : victims;
    if (assignment.mode() == AssignmentMode.FIT) {
      targets = siblings.victims(queue.spec(), entry.workload());
    }
    return new Nomination(
        queue,
        entry,
        assignment,
        assignment.level(),
        targets,
        gated,
        queue.epoch(),
        ledger.version());
  }

  /** An assignment, and the victims that it needs. */
  private record Attempt(Assignment assignment, List<Target> targets) {

    boolean succeeds() {
      return assignment.mode() == AssignmentMode.FIT || !targets.isEmpty();
    }
  }

  private Attempt attempt(
      PendingWorkload workload, List<PodSetRequest> podSets, FlavorCursor cursor) {
    Assignment assignment = assigner.assign(workload, podSets, cursor);
    List<Target> targets =
        assignment.mode().needsPreemption()
            ? preemption.targets(workload, assignment.usage(), assignment.needed())
            : List.of();
    var found = new Attempt(assignment, targets);
    return found.succeeds() || !assignment.reliesOnOthers()
        ? found
        : fitting(workload, podSets, cursor).orElse(found);
  }

  /**
   * A flavor that fits is better than one that needs further victims, or that has victims for each
   * part but not for the whole, however little the queue likes to borrow.
   */
  private Optional<Attempt> fitting(
      PendingWorkload workload, List<PodSetRequest> podSets, FlavorCursor cursor) {
    Assignment assignment = assigner.assignOnlyWhatFits(workload, podSets, cursor);
    return assignment.mode() == AssignmentMode.FIT
        ? Optional.of(new Attempt(assignment, List.of()))
        : Optional.empty();
  }

  /** Whether a workload may start with fewer pods than it asks for. */
  public static boolean canShrink(PendingWorkload workload) {
    for (PodSetRequest podSet : workload.podSets()) {
      if (podSet.least() < podSet.count()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The most pods that fit, by halving the range of how many are left out. What fits with some pods
   * is taken to fit with fewer.
   */
  private Optional<Attempt> shrink(PendingWorkload workload) {
    int most =
        workload.podSets().stream().mapToInt(podSet -> podSet.count() - podSet.least()).sum();
    int low = 0;
    int high = most + 1;
    int succeeded = -1;
    Optional<Attempt> found = Optional.empty();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Attempt reduced = attempt(workload, without(workload, middle, most), FlavorCursor.NONE);
      if (reduced.succeeds()) {
        found = Optional.of(reduced);
        succeeded = middle;
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return succeeded == low ? found : Optional.empty();
  }

  private static List<PodSetRequest> without(PendingWorkload workload, int left, int most) {
    var podSets = new ArrayList<PodSetRequest>();
    for (PodSetRequest podSet : workload.podSets()) {
      long range = (long) podSet.count() - podSet.least();
      podSets.add(podSet.withCount((int) (podSet.count() - range * left / most)));
    }
    return podSets;
  }
}
