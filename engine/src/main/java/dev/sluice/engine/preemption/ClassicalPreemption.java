package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.MergedCandidates.Candidate;
import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Classical preemption: victims are chosen by priority and by borrowing.
 *
 * <p>Goal: as few victims as needed, borrowing workloads of other ClusterQueues before workloads of
 * the preemptor's own. Method: collect candidates, from the own queue by priority and at each level
 * of the cohort tree among the queues that borrow; remove them in order until the workload fits;
 * put back the candidates that need not go.
 *
 * <p>At a level where the request lies within the quota of what is below it, the queue has the
 * <em>advantage</em>: it reclaims its own quota. Above that level it would borrow itself, which
 * {@code borrowWithinCohort} limits to victims of a lower priority.
 */
final class ClassicalPreemption {
  private final PreemptionContext search;
  private final Borrowers borrowers;
  private final QueueSpec.Preemption policy;
  private final List<QuotaNode> above = new ArrayList<>();
  private final List<QuotaNode> withAdvantage = new ArrayList<>();
  private final List<QuotaNode> without = new ArrayList<>();
  private final CandidateIterator byRight;
  private final CandidateIterator others;
  private final CandidateIterator own;
  private final List<CandidateIterator> iterators;
  private final List<Choice> inOrder = new ArrayList<>();
  private boolean evictedLeft = true;

  ClassicalPreemption(PreemptionContext search, Borrowers borrowers) {
    this.search = search;
    this.borrowers = borrowers;
    this.policy = search.queue().preemption();
    if (policy.withinCohort() != PreemptionPolicy.NEVER) {
      findMeetings();
    }
    this.byRight = strangers(withAdvantage);
    this.others = strangers(without);
    this.own = own();
    this.iterators = List.of(byRight, others, own);
  }

  /**
   * The victim, where a queue reclaims its own quota and evicting the first of all borrowers is
   * enough: by far the most frequent case, in which no other candidate needs to be examined. Both
   * queues are right below the root, so no cohort in between matters.
   */
  static Optional<Target> firstOfAll(PreemptionContext search, Borrowers borrowers) {
    if (!search.takesBackItsOwn()) {
      return Optional.empty();
    }
    Candidate first = borrowers.below(search.node().root(), search.needed()).at(0);
    return first != null
            && first.queue() != search.node()
            && first.queue().parent() == search.node().parent()
            && search.mayTake(first.held(), search.queue().preemption().withinCohort())
            && search.comesFirst(first.held())
            && search.fitsWithout(first)
        ? Optional.of(new Target(first.held(), Variant.HIERARCHICAL_RECLAIM.cause))
        : Optional.empty();
  }

  /** The rule by which a candidate may be preempted. */
  private enum Variant {
    WITHIN_QUEUE(Cause.IN_CLUSTER_QUEUE),
    HIERARCHICAL_RECLAIM(Cause.IN_COHORT_RECLAMATION),
    RECLAIM_WITHOUT_BORROWING(Cause.IN_COHORT_RECLAMATION),
    RECLAIM_WHILE_BORROWING(Cause.IN_COHORT_RECLAIM_WHILE_BORROWING);

    private final Cause cause;

    Variant(Cause cause) {
      this.cause = cause;
    }
  }

  /** A candidate, and the rule by which it may be preempted. */
  private record Choice(Candidate candidate, Variant variant) {}

  List<Target> targets() {
    for (boolean mayBorrow : attempts()) {
      Optional<List<Target>> found = attempt(mayBorrow);
      search.restore();
      if (found.isPresent()) {
        return found.get();
      }
    }
    return List.of();
  }

  /** Finds the cohorts above the queue at which it may preempt, with the advantage or without. */
  private void findMeetings() {
    boolean mayTakeOthers = policy.whileBorrowing() || belowNominal();
    boolean advantage = false;
    Usage rest = search.request();
    QuotaNode below = search.node();
    for (QuotaNode at = below.parent(); at != null; at = at.parent()) {
      above.add(at);
      advantage |= withinSubtree(below, rest);
      if (advantage) {
        withAdvantage.add(at);
      } else if (mayTakeOthers) {
        without.add(at);
      }
      rest = at.parent() == null ? rest : beyond(below, rest);
      below = at;
    }
  }

  private boolean belowNominal() {
    for (FlavorResource flavorResource : search.needed()) {
      if (search.node().usage(flavorResource) >= search.node().nominal(flavorResource)) {
        return false;
      }
    }
    return true;
  }

  private static boolean withinSubtree(QuotaNode node, Usage request) {
    for (int i = 0; i < request.size(); i++) {
      if (node.borrowsWith(request.what(i), request.amount(i))) {
        return false;
      }
    }
    return true;
  }

  private static Usage beyond(QuotaNode node, Usage request) {
    SortedMap<FlavorResource, Long> rest = request.amounts();
    rest.replaceAll((flavorResource, amount) ->
        Math.max(0, Amounts.difference(amount, node.localAvailable(flavorResource))));
    return new Usage(rest);
  }

  private CandidateIterator own() {
    var all = new MergedCandidates(search.order());
    var inOrderOfQueue = search.lazyCandidates(search.node(), policy.withinQueue());
    all.add(new CohortPath(search.node(), search.needed()), inOrderOfQueue);
    return new CandidateIterator(search, all, policy.withinQueue(), _ -> true);
  }

  /** Candidates of other queues whose path to the root meets the preemptor's at one of these. */
  private CandidateIterator strangers(List<QuotaNode> meetings) {
    MergedCandidates all =
        meetings.isEmpty()
            ? MergedCandidates.NONE
            : search.strangers(borrowers, policy.withinCohort());
    return new CandidateIterator(
        search,
        all,
        policy.withinCohort(),
        other -> other.queue() != search.node() && meets(other, meetings));
  }

  /** Whether its path meets the preemptor's there, below all cohorts that do not borrow. */
  private boolean meets(Candidate other, List<QuotaNode> meetings) {
    for (QuotaNode at = other.queue().parent(); at != null; at = at.parent()) {
      if (above.contains(at)) {
        return meetings.contains(at);
      }
      if (at == other.shelter()) {
        return false;
      }
    }
    return false;
  }

  /**
   * The choice at a place in the order, or null if there are fewer. Workloads that are being
   * evicted already come first, whatever the rule.
   */
  private @Nullable Choice choice(int place) {
    if (place < inOrder.size()) {
      return inOrder.get(place);
    }
    Choice next = evictedLeft ? next(true) : null;
    evictedLeft = next != null;
    next = next == null ? next(false) : next;
    if (next != null) {
      inOrder.add(next);
    }
    return next;
  }

  private @Nullable Choice next(boolean evicted) {
    for (CandidateIterator iterator : iterators) {
      Candidate first = iterator.first();
      if (first != null && (!evicted || first.held().evicted())) {
        iterator.pass();
        return new Choice(first, variant(first.held(), iterator));
      }
    }
    return null;
  }

  private Variant variant(QuotaReservation held, CandidateIterator iterator) {
    if (iterator == own) {
      return Variant.WITHIN_QUEUE;
    }
    if (iterator == byRight) {
      return Variant.HIERARCHICAL_RECLAIM;
    }
    boolean safe =
        !policy.whileBorrowing()
            || held.priority() >= search.workload().priority()
            || (policy.threshold().isPresent() && held.priority() > policy.threshold().getAsInt());
    return safe ? Variant.RECLAIM_WITHOUT_BORROWING : Variant.RECLAIM_WHILE_BORROWING;
  }

  /** Whether the preemptor may end up borrowing: the values to try, in order. */
  private List<Boolean> attempts() {
    boolean noStrangers = byRight.first() == null && others.first() == null;
    if (noStrangers || (!policy.whileBorrowing() && !belowNominal())) {
      return List.of(true);
    }
    return !policy.whileBorrowing() && byRight.first() == null
        ? List.of(false, true)
        : List.of(true, false);
  }

  private Optional<List<Target>> attempt(boolean mayBorrow) {
    int place = 0;
    for (Choice next = choice(place); next != null; next = choice(++place)) {
      boolean onlyWithoutBorrowing =
          next.variant() == Variant.RECLAIM_WITHOUT_BORROWING && mayBorrow;
      if (onlyWithoutBorrowing || nothingLeftToTake(next)) {
        continue;
      }
      search.remove(next.candidate(), next.variant().cause);
      if (search.fits(mayBorrow)) {
        return Optional.of(search.necessary(mayBorrow));
      }
    }
    return Optional.empty();
  }

  /** Whether the candidate's queue, or a cohort below the meeting point, no longer borrows. */
  private boolean nothingLeftToTake(Choice choice) {
    return choice.variant() != Variant.WITHIN_QUEUE
        && !choice.candidate().branch().borrowsBelow(above);
  }
}
