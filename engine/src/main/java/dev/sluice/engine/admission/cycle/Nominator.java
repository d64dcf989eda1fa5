package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.EquivalenceGroup;
import dev.sluice.engine.admission.pending.Headroom;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds flavors for the head of a line and, if it does not fit, who must give way. */
public final class Nominator {
  private final QuotaLedger ledger;
  private final PreemptionSearch preemption;
  private final Siblings siblings;
  private final FlavorAssigner assigner;
  private final boolean partial;
  private final boolean remembers;

  /**
   * @param remembers whether what was found for one is kept for others
   */
  public Nominator(QuotaLedger ledger, AdmissionRules rules, boolean remembers) {
    this.ledger = ledger;
    this.preemption = new PreemptionSearch(ledger, rules.preemption());
    this.siblings = new Siblings(ledger);
    this.assigner = new FlavorAssigner(ledger, preemption, rules.flavors());
    this.partial = rules.partial();
    this.remembers = remembers;
  }

  /** Whoever is to be evicted from now on without need is told of, in words. */
  public void watch(Consumer<String> told) {
    preemption.watch(told);
  }

  /**
   * For one that fits and has no choice: what another of its shape got is what it gets.
   *
   * @param level how far up the tree it borrows
   */
  Nomination nominate(PendingQueue line, PendingEntry item, int level) {
    Optional<Assignment> fit = item.group().fit().filter(found -> found.level() == level);
    if (fit.isEmpty()) {
      Nomination found = nominate(line, item);
      if (found.mode() == AssignmentMode.FIT) {
        item.group().rememberFit(found.assignment());
      }
      return found;
    }
    return nomination(line, item, new Try(fit.get(), List.of()), level);
  }

  /** What another of its shape found is what it finds, if things stand as they did then. */
  public Nomination nominate(PendingQueue line, PendingEntry item) {
    if (!remembers || !isPlain(line, item)) {
      return find(line, item);
    }
    Try known = known(item);
    if (known != null) {
      return nomination(line, item, known, known.assignment().level());
    }
    Nomination found = find(line, item);
    if (found.mode() != AssignmentMode.FIT && isRepeatable(item.group())) {
      item.group().rememberMisfit(found.assignment());
    }
    return found;
  }

  /**
   * Whether what is found for one of a group depends only on how its amounts stand, and on who
   * gives way for the whole. Of several amounts, each is judged by a search of its own.
   */
  private static boolean isRepeatable(EquivalenceGroup group) {
    return group.demands().size() == 1 || group.isBeyondReach();
  }

  /** What another of its shape found, if the same is found now; null if it must be looked for. */
  private @Nullable Try known(PendingEntry item) {
    EquivalenceGroup group = item.group();
    EquivalenceGroup.Misfit misfit = group.misfit();
    if (misfit == null || !isRepeatable(group)) {
      return null;
    }
    Assignment found = misfit.found();
    boolean searches = found.mode().needsPreemption() && !group.isBeyondReach();
    List<Target> targets =
        searches ? preemption.targets(item.workload(), found.usage(), misfit.needed()) : List.of();
    return found.mode() == AssignmentMode.NO_FIT || leadsTo(found, item, targets)
        ? new Try(found, targets)
        : null;
  }

  /** Whether an assignment is the one that these victims lead to. */
  private boolean leadsTo(Assignment found, PendingEntry item, List<Target> targets) {
    if (found.mode() != AssignmentMode.after(targets, item.workload().clusterQueue())) {
      return false;
    }
    if (targets.isEmpty()) {
      return true;
    }
    Headroom.Demand only = item.group().demands().getFirst();
    return found.level() == preemption.levelWithout(targets, only.cell(), only.amount());
  }

  /** Whether its pods are all alike and all needed, and no flavor has been looked at yet. */
  private static boolean isPlain(PendingQueue line, PendingEntry item) {
    PendingWorkload workload = item.workload();
    return workload.podSets().size() == 1
        && !canShrink(workload)
        && !item.progress(line.epoch()).unfinished();
  }

  private Nomination find(PendingQueue line, PendingEntry item) {
    PendingWorkload workload = item.workload();
    FlavorCursor progress = item.progress(line.epoch());
    Try full = attempt(workload, workload.podSets(), progress);
    Try best = full;
    if (full.assignment().mode() != AssignmentMode.FIT && line.isPreemptor(item)) {
      // what others left for it is taken before anybody else has to leave
      best = fitting(workload, workload.podSets(), progress).orElse(full);
    }
    if (!best.works() && partial && canShrink(workload)) {
      best = shrink(workload).orElse(full);
    }
    return nomination(line, item, best, best.assignment().level());
  }

  /** Takes the workload back into the line, and notes what was found for it. */
  private Nomination nomination(PendingQueue line, PendingEntry item, Try found, int level) {
    line.bringBack(item);
    boolean gated = !item.workload().mayPreempt() && !found.targets().isEmpty();
    List<Target> targets = gated ? List.of() : found.targets();
    if (found.assignment().mode() == AssignmentMode.FIT) {
      targets = siblings.inTheWay(line.queue(), item.workload());
    }
    var nomination =
        new Nomination(
            line, item, found.assignment(), level, targets, gated, line.epoch(), ledger.version());
    item.remember(nomination);
    return nomination;
  }

  /** An assignment, and who must give way for it. */
  private record Try(Assignment assignment, List<Target> targets) {

    boolean works() {
      return assignment.mode() == AssignmentMode.FIT || !targets.isEmpty();
    }
  }

  private Try attempt(
      PendingWorkload workload, List<PodSetRequest> podSets, FlavorCursor progress) {
    Assignment assignment = assigner.assign(workload, podSets, progress);
    List<Target> targets =
        assignment.mode().needsPreemption()
            ? preemption.targets(workload, assignment.usage(), assignment.needed())
            : List.of();
    var found = new Try(assignment, targets);
    return found.works() || !assignment.reliesOnOthers()
        ? found
        : fitting(workload, podSets, progress).orElse(found);
  }

  /**
   * A flavor that fits is better than one in which others would have to give way again, or give way
   * to each part but not to the whole, however little the queue likes to borrow.
   */
  private Optional<Try> fitting(
      PendingWorkload workload, List<PodSetRequest> podSets, FlavorCursor progress) {
    Assignment assignment = assigner.assignOnlyWhatFits(workload, podSets, progress);
    return assignment.mode() == AssignmentMode.FIT
        ? Optional.of(new Try(assignment, List.of()))
        : Optional.empty();
  }

  private static boolean canShrink(PendingWorkload workload) {
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
  private Optional<Try> shrink(PendingWorkload workload) {
    int most =
        workload.podSets().stream().mapToInt(podSet -> podSet.count() - podSet.least()).sum();
    int low = 0;
    int high = most + 1;
    int worked = -1;
    Optional<Try> found = Optional.empty();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Try reduced = attempt(workload, without(workload, middle, most), FlavorCursor.NONE);
      if (reduced.works()) {
        found = Optional.of(reduced);
        worked = middle;
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return worked == low ? found : Optional.empty();
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
