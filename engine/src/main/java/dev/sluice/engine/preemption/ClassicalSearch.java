package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.Reservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Preemption by priority and by who borrows.
 *
 * <p>Goal: as few victims as needed, strangers who borrow before workloads of the own queue.
 * Method: collect candidates, from the own queue by priority and from each level of the cohort tree
 * among those who use more than their quota; take them away in order until the workload fits; put
 * back whoever need not go.
 *
 * <p>At a level where the request lies within the quota of what is below it, the queue has the
 * <em>advantage</em>: it takes back what is its own. Beyond, it would borrow itself, which {@code
 * borrowWithinCohort} limits to victims of a lower priority.
 */
final class ClassicalSearch {
  private final Search search;
  private final MergedCandidates own;
  private final MergedCandidates byRight;
  private final MergedCandidates others;
  private final List<Candidate> inOrder = new ArrayList<>();

  ClassicalSearch(Search search) {
    this.search = search;
    this.own = new MergedCandidates(search.order());
    this.byRight = new MergedCandidates(search.order());
    this.others = new MergedCandidates(search.order());
  }

  /** The right by which a candidate may be taken. */
  private enum Variant {
    WITHIN_QUEUE(Cause.IN_CLUSTER_QUEUE),
    BY_RIGHT(Cause.IN_COHORT_RECLAMATION),
    WITHOUT_BORROWING(Cause.IN_COHORT_RECLAMATION),
    WHILE_BORROWING(Cause.IN_COHORT_RECLAIM_WHILE_BORROWING);

    private final Cause cause;

    Variant(Cause cause) {
      this.cause = cause;
    }
  }

  /** A workload that may go; {@code meeting} is where its branch meets that of the queue. */
  private record Candidate(Reservation held, Variant variant, Optional<QuotaNode> meeting) {}

  List<Target> targets() {
    QueueSpec.Preemption policy = search.queue().preemption();
    own.add(search.node(), search.lazyCandidates(search.node(), policy.withinQueue()));
    if (policy.withinCohort() != PreemptionPolicy.NEVER) {
      collectFromCohorts(policy);
    }
    for (boolean mayBorrow : attempts(policy)) {
      Optional<List<Target>> found = attempt(mayBorrow);
      search.restore();
      if (found.isPresent()) {
        return found.get();
      }
    }
    return List.of();
  }

  private void collectFromCohorts(QueueSpec.Preemption policy) {
    boolean advantage = withinSubtree(search.node(), search.request());
    Usage rest = beyond(search.node(), search.request());
    QuotaNode visited = search.node();
    boolean belowNominal = belowNominal();
    for (QuotaNode at = visited.parent(); at != null; at = at.parent()) {
      if (advantage || policy.whileBorrowing() || belowNominal) {
        collect(at, visited, at, advantage, policy); // all others would only be passed over
      }
      advantage |= withinSubtree(at, rest);
      rest = beyond(at, rest);
      visited = at;
    }
  }

  private static boolean withinSubtree(QuotaNode node, Usage request) {
    return request.entries().stream()
        .noneMatch(entry -> node.borrowsWith(entry.getKey(), entry.getValue()));
  }

  private static Usage beyond(QuotaNode node, Usage request) {
    var rest = new TreeMap<FlavorResource, Long>();
    request
        .entries()
        .forEach(entry ->
            rest.put(
                entry.getKey(),
                Math.max(
                    0, Amounts.difference(entry.getValue(), node.localAvailable(entry.getKey())))));
    return new Usage(rest);
  }

  private void collect(
      QuotaNode under,
      QuotaNode visited,
      QuotaNode meeting,
      boolean advantage,
      QueueSpec.Preemption policy) {
    for (QuotaNode cohort : under.cohorts()) {
      if (cohort != visited && !search.withinQuota(cohort)) {
        collect(cohort, visited, meeting, advantage, policy);
      }
    }
    for (QuotaNode queue : under.queues()) {
      if (queue != visited && !search.withinQuota(queue)) {
        (advantage ? byRight : others)
            .add(meeting, search.lazyCandidates(queue, policy.withinCohort()));
      }
    }
  }

  /**
   * The candidate at a place in the order, or none if there are fewer. Those who are on their way
   * out already come first, whatever their right.
   */
  private Optional<Candidate> candidate(int place) {
    if (place == inOrder.size()) {
      Optional<Candidate> next = next(true).or(() -> next(false));
      next.ifPresent(inOrder::add);
      return next;
    }
    return Optional.of(inOrder.get(place));
  }

  private Optional<Candidate> next(boolean evicted) {
    for (MergedCandidates some : List.of(byRight, others, own)) {
      if (some.hasNext() && (!evicted || some.first().evicted())) {
        Optional<QuotaNode> meeting =
            some == own ? Optional.empty() : Optional.of(some.meetingOfFirst());
        Reservation held = some.take();
        return Optional.of(new Candidate(held, variant(held, some), meeting));
      }
    }
    return Optional.empty();
  }

  private Variant variant(Reservation held, MergedCandidates among) {
    if (among == own) {
      return Variant.WITHIN_QUEUE;
    }
    if (among == byRight) {
      return Variant.BY_RIGHT;
    }
    QueueSpec.Preemption policy = search.queue().preemption();
    boolean safe =
        !policy.whileBorrowing()
            || held.priority() >= search.workload().priority()
            || (policy.threshold().isPresent() && held.priority() > policy.threshold().getAsInt());
    return safe ? Variant.WITHOUT_BORROWING : Variant.WHILE_BORROWING;
  }

  /** Whether the workload may end up borrowing, in the order in which that is tried. */
  private List<Boolean> attempts(QueueSpec.Preemption policy) {
    boolean noStrangers = !byRight.hasNext() && !others.hasNext();
    if (noStrangers || (!policy.whileBorrowing() && !belowNominal())) {
      return List.of(true);
    }
    return !policy.whileBorrowing() && !byRight.hasNext()
        ? List.of(false, true)
        : List.of(true, false);
  }

  private boolean belowNominal() {
    return search.needed().stream()
        .allMatch(of -> search.node().usage(of) < search.node().nominal(of));
  }

  private Optional<List<Target>> attempt(boolean mayBorrow) {
    int place = 0;
    for (var next = candidate(place); next.isPresent(); next = candidate(++place)) {
      Candidate candidate = next.get();
      boolean onlyWithoutBorrowing = candidate.variant() == Variant.WITHOUT_BORROWING && mayBorrow;
      if (onlyWithoutBorrowing || nothingLeftToTake(candidate)) {
        continue;
      }
      search.remove(candidate.held(), candidate.variant().cause);
      if (search.fits(mayBorrow)) {
        return Optional.of(search.necessary(mayBorrow));
      }
    }
    return Optional.empty();
  }

  /** Whether the candidate's queue, or a cohort below the meeting point, no longer borrows. */
  private boolean nothingLeftToTake(Candidate candidate) {
    if (candidate.meeting().isEmpty()) {
      return false;
    }
    QuotaNode meeting = candidate.meeting().get();
    @Nullable QuotaNode node = search.nodeOf(candidate.held());
    while (node != null && node != meeting) {
      if (search.withinQuota(node)) {
        return true;
      }
      node = node.parent();
    }
    return false;
  }
}
