package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.PreemptionHistory;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Share;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Preemption by fair sharing: victims come from the ClusterQueues with the highest share.
 *
 * <p>Method: the workload is counted as if it ran. Then the first candidate of the queue with the
 * highest share is removed if a strategy allows it, and so on until the workload fits. Shares are
 * compared at the two children of the lowest cohort that both queues have in common. With two
 * strategies, candidates that the first one spared are tried again by the second. A workload that
 * {@linkplain PreemptionHistory was preempted} itself preempts nothing by its share.
 */
final class FairPreemption {
  private final PreemptionContext search;
  private final PreemptionRules rules;
  private final boolean byShares;
  private final List<QuotaReservation> spared = new ArrayList<>();

  FairPreemption(PreemptionContext search, PreemptionRules rules) {
    this.search = search;
    this.rules = rules;
    this.byShares = !search.wasPreempted();
  }

  List<Target> targets() {
    List<QuotaReservation> candidates = candidates();
    search.node().add(search.request());
    boolean fits = firstPass(candidates) || secondPass();
    search.node().remove(search.request());
    List<Target> targets = fits ? search.necessary(true) : List.of();
    search.restore();
    return targets;
  }

  /**
   * The candidates, ordered within each queue. Across queues there is no order where usage counts:
   * usage orders the workloads of one queue, priority those of two, and together the two may form a
   * cycle.
   */
  private List<QuotaReservation> candidates() {
    var policy = search.queue().preemption();
    var candidates =
        new ArrayList<QuotaReservation>(search.candidates(search.node(), policy.withinQueue()));
    if (policy.withinCohort() != PreemptionPolicy.NEVER) {
      search
          .node()
          .root()
          .forEachQueue(queue -> {
            if (queue != search.node() && !search.withinQuota(queue)) {
              candidates.addAll(search.candidates(queue, policy.withinCohort()));
            }
          });
    }
    return candidates;
  }

  private boolean fits() {
    search.node().remove(search.request());
    boolean fits = search.fits(true);
    search.node().add(search.request());
    return fits;
  }

  private boolean firstPass(List<QuotaReservation> candidates) {
    var tournament = new FairQueueOrder(search, candidates);
    for (Optional<QuotaNode> next = tournament.next(); next.isPresent(); next = tournament.next()) {
      QuotaNode queue = next.get();
      Optional<Cause> unconditional = unconditional(queue);
      if (unconditional.isPresent()) {
        search.remove(tournament.take(queue), queue, unconditional.get());
      } else if (!takeByShare(queue, tournament)) {
        continue;
      }
      if (fits()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The cause where shares do not matter: priority within the own queue, and reclaiming the queue's
   * own quota.
   */
  private Optional<Cause> unconditional(QuotaNode queue) {
    if (queue == search.node()) {
      return Optional.of(Cause.IN_CLUSTER_QUEUE);
    }
    return rules.withinNominal() && search.withinQuota(search.node())
        ? Optional.of(Cause.IN_COHORT_RECLAMATION)
        : Optional.empty();
  }

  /**
   * Removes the first candidate of a queue that the strategy allows; those before it are spared.
   */
  private boolean takeByShare(QuotaNode queue, FairQueueOrder tournament) {
    Sides sides = Sides.of(search.node(), queue);
    Share mine = sides.mine().share();
    Share before = sides.theirs().share();
    boolean hopeless = !byShares || (mine.infinite() && !before.infinite());
    while (tournament.has(queue)) {
      QuotaReservation victim = tournament.take(queue);
      if (!hopeless && allows(mine, before, sides.theirs(), queue, victim)) {
        search.remove(victim, queue, Cause.IN_COHORT_FAIR_SHARING);
        return true;
      }
      spared.add(victim);
    }
    return false;
  }

  private boolean allows(
      Share mine, Share before, QuotaNode theirs, QuotaNode queue, QuotaReservation victim) {
    if (rules.strategies().getFirst() == Strategy.LESS_THAN_INITIAL_SHARE) {
      return mine.compareTo(before) < 0;
    }
    queue.remove(victim.usage());
    Share after = theirs.share();
    queue.add(victim.usage());
    return mine.compareTo(after) <= 0;
  }

  /** Tries each queue with spared candidates once more, for one victim. */
  private boolean secondPass() {
    if (!byShares || rules.strategies().size() == 1) {
      return false;
    }
    var tournament = new FairQueueOrder(search, spared);
    for (Optional<QuotaNode> next = tournament.next(); next.isPresent(); next = tournament.next()) {
      QuotaNode queue = next.get();
      Sides sides = Sides.of(search.node(), queue);
      if (sides.mine().share().compareTo(sides.theirs().share()) < 0) {
        search.remove(tournament.take(queue), queue, Cause.IN_COHORT_FAIR_SHARING);
        if (fits()) {
          return true;
        }
      }
      tournament.drop(queue);
    }
    return false;
  }

  /** The two children of the lowest cohort above both queues, one on each side. */
  private record Sides(QuotaNode mine, QuotaNode theirs) {

    static Sides of(QuotaNode queue, QuotaNode other) {
      var above = new ArrayList<QuotaNode>();
      for (QuotaNode node = queue; node != null; node = node.parent()) {
        above.add(node);
      }
      QuotaNode theirs = other;
      while (theirs.parent() != null && !above.contains(theirs.parent())) {
        theirs = theirs.parent();
      }
      QuotaNode mine = queue;
      while (mine.parent() != null && mine.parent() != theirs.parent()) {
        mine = mine.parent();
      }
      return new Sides(mine, theirs);
    }
  }
}
