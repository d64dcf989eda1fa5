package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.reference.ReferenceQuota.Node;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The plain classical preemption, rule by rule as in
 * docs/specification/preemption.md#classical-preemption.
 */
final class ReferenceClassicalPreemption {
  private final ReferenceCandidates search;
  private final ReferenceQuota quota;
  private final List<Candidate> hierarchy = new ArrayList<>();
  private final List<Candidate> priority = new ArrayList<>();
  private final List<Candidate> same = new ArrayList<>();

  ReferenceClassicalPreemption(ReferenceCandidates search) {
    this.search = search;
    this.quota = search.quota;
  }

  private enum Variant {
    WITHIN_QUEUE,
    HIERARCHICAL_RECLAIM,
    RECLAIM_WITHOUT_BORROWING,
    RECLAIM_WHILE_BORROWING
  }

  /**
   * @param meeting the lowest cohort above both queues; the queue itself for its own workloads
   */
  private record Candidate(QuotaReservation held, Variant variant, Node meeting) {}

  List<Target> targets() {
    collect();
    for (boolean mayBorrow : attempts()) {
      List<Target> found = attempt(mayBorrow);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private void collect() {
    for (QuotaReservation reservation :
        search.candidates(search.mine, search.policy.withinQueue())) {
      same.add(new Candidate(reservation, Variant.WITHIN_QUEUE, search.mine));
    }
    if (search.policy.withinCohort() == PreemptionPolicy.NEVER) {
      return;
    }
    Map<FlavorResource, Long> rest = search.request.amounts();
    boolean advantage = fitsInQuota(search.mine, rest);
    rest = beyond(search.mine, rest);
    Node visited = search.mine;
    while (quota.hasParent(visited)) {
      Node at = quota.parent(visited);
      visit(at, visited, at, advantage);
      advantage |= fitsInQuota(at, rest);
      rest = beyond(at, rest);
      visited = at;
    }
  }

  private boolean fitsInQuota(Node node, Map<FlavorResource, Long> amounts) {
    return amounts.entrySet().stream()
        .allMatch(amount ->
            quota.subtreeQuota(node, amount.getKey())
                >= quota.usage(node, amount.getKey()) + amount.getValue());
  }

  private Map<FlavorResource, Long> beyond(Node node, Map<FlavorResource, Long> amounts) {
    var rest = new TreeMap<>(amounts);
    rest.replaceAll((flavorResource, amount) ->
        Math.max(0, amount - quota.localAvailable(node, flavorResource)));
    return rest;
  }

  private void visit(Node cohort, Node visited, Node meeting, boolean advantage) {
    for (Node child : quota.children(cohort)) {
      if (child.equals(visited) || !search.borrowsNeeded(child)) {
        continue;
      }
      if (!child.queue()) {
        visit(child, visited, meeting, advantage);
        continue;
      }
      for (QuotaReservation reservation : search.candidates(child, search.policy.withinCohort())) {
        List<Candidate> list = advantage ? hierarchy : priority;
        list.add(new Candidate(reservation, variant(reservation, advantage), meeting));
      }
    }
  }

  private Variant variant(QuotaReservation reservation, boolean advantage) {
    if (advantage) {
      return Variant.HIERARCHICAL_RECLAIM;
    }
    boolean spared =
        !search.policy.whileBorrowing()
            || reservation.priority() >= search.workload.priority()
            || (search.policy.threshold().isPresent()
                && reservation.priority() > search.policy.threshold().getAsInt());
    return spared ? Variant.RECLAIM_WITHOUT_BORROWING : Variant.RECLAIM_WHILE_BORROWING;
  }

  private List<Boolean> attempts() {
    boolean forbidden = !search.policy.whileBorrowing();
    boolean belowNominal =
        search.needed.stream()
            .allMatch(flavorResource ->
                quota.usage(search.mine, flavorResource)
                    < quota.nominal(search.mine, flavorResource));
    boolean noCohortCandidates = hierarchy.isEmpty() && priority.isEmpty();
    if (noCohortCandidates || (forbidden && !belowNominal)) {
      return List.of(true);
    }
    return forbidden && hierarchy.isEmpty() ? List.of(false, true) : List.of(true, false);
  }

  private List<Candidate> inOrder() {
    Comparator<Candidate> order = Comparator.comparing(Candidate::held, search.order());
    List<List<Candidate>> lists = List.of(hierarchy, priority, same);
    lists.forEach(list -> list.sort(order));
    return Stream.of(true, false)
        .flatMap(evicted ->
            lists.stream()
                .flatMap(List::stream)
                .filter(candidate -> candidate.held().evicted() == evicted))
        .toList();
  }

  private List<Target> attempt(boolean mayBorrow) {
    for (Candidate candidate : inOrder()) {
      if (isSkipped(candidate, mayBorrow)) {
        continue;
      }
      search.remove(new Target(candidate.held(), cause(candidate.variant())));
      if (search.fits(mayBorrow)) {
        return search.filledBack(mayBorrow);
      }
    }
    search.restore();
    return List.of();
  }

  private boolean isSkipped(Candidate candidate, boolean mayBorrow) {
    if (candidate.variant() == Variant.WITHIN_QUEUE) {
      return false;
    }
    if (candidate.variant() == Variant.RECLAIM_WITHOUT_BORROWING && mayBorrow) {
      return true;
    }
    Node at = ReferenceQuota.queue(candidate.held().clusterQueue());
    while (!at.equals(candidate.meeting())) {
      if (!search.borrowsNeeded(at)) {
        return true;
      }
      at = quota.parent(at);
    }
    return false;
  }

  private static Cause cause(Variant variant) {
    return switch (variant) {
      case WITHIN_QUEUE -> Cause.IN_CLUSTER_QUEUE;
      case HIERARCHICAL_RECLAIM, RECLAIM_WITHOUT_BORROWING -> Cause.IN_COHORT_RECLAMATION;
      case RECLAIM_WHILE_BORROWING -> Cause.IN_COHORT_RECLAIM_WHILE_BORROWING;
    };
  }
}
