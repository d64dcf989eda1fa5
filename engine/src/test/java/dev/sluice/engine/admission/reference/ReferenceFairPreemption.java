package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.reference.ReferenceQuota.Node;
import dev.sluice.engine.admission.reference.ReferenceQuota.Portion;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The plain preemption by shares, rule by rule as in
 * docs/specification/preemption.md#fair-preemption.
 */
final class ReferenceFairPreemption {
  private final ReferenceCandidates search;
  private final ReferenceQuota quota;
  private final PreemptionRules rules;
  private final List<QuotaReservation> retry = new ArrayList<>();
  private List<QuotaReservation> left = new ArrayList<>();
  private final Set<Node> dropped = new LinkedHashSet<>();

  ReferenceFairPreemption(ReferenceCandidates search, PreemptionRules rules) {
    this.search = search;
    this.quota = search.quota;
    this.rules = rules;
  }

  List<Target> targets() {
    left = candidates();
    quota.use(search.mine.name(), search.request, 1);
    boolean fits = firstPass() || (rules.strategies().size() == 2 && secondPass());
    quota.use(search.mine.name(), search.request, -1);
    return fits ? search.filledBack(true) : List.of();
  }

  private List<QuotaReservation> candidates() {
    var all = new ArrayList<>(search.candidates(search.mine, search.policy.withinQueue()));
    if (search.policy.withinCohort() != PreemptionPolicy.NEVER) {
      for (Node queue : quota.nodes()) {
        if (queue.queue()
            && !queue.equals(search.mine)
            && quota.root(queue).equals(quota.root(search.mine))
            && search.borrowsNeeded(queue)) {
          all.addAll(search.candidates(queue, search.policy.withinCohort()));
        }
      }
    }
    all.sort(search.order());
    return all;
  }

  private boolean fits() {
    quota.use(search.mine.name(), search.request, -1);
    boolean fits = search.fits(true);
    quota.use(search.mine.name(), search.request, 1);
    return fits;
  }

  private boolean firstPass() {
    while (true) {
      Optional<Node> target = next();
      if (target.isEmpty()) {
        return false;
      }
      if (takeFrom(target.get()) && fits()) {
        return true;
      }
    }
  }

  private boolean takeFrom(Node queue) {
    if (queue.equals(search.mine)) {
      search.remove(new Target(pop(queue), Cause.IN_CLUSTER_QUEUE));
      return true;
    }
    if (rules.withinNominal() && !search.borrowsNeeded(search.mine)) {
      search.remove(new Target(pop(queue), Cause.IN_COHORT_RECLAMATION));
      return true;
    }
    Portion preemptor = quota.portion(belowMeeting(search.mine, queue));
    Node theirs = belowMeeting(queue, search.mine);
    Portion before = quota.portion(theirs);
    boolean inVain = preemptor.infinite() && !before.infinite();
    while (first(queue).isPresent()) {
      QuotaReservation reservation = pop(queue);
      if (!inVain && passes(preemptor, before, theirs, reservation)) {
        search.remove(new Target(reservation, Cause.IN_COHORT_FAIR_SHARING));
        return true;
      }
      retry.add(reservation);
    }
    return false;
  }

  private boolean passes(
      Portion preemptor, Portion before, Node theirs, QuotaReservation reservation) {
    quota.use(reservation.clusterQueue(), reservation.usage(), -1);
    Portion after = quota.portion(theirs);
    quota.use(reservation.clusterQueue(), reservation.usage(), 1);
    return switch (rules.strategies().getFirst()) {
      case LESS_THAN_OR_EQUAL_TO_FINAL_SHARE -> preemptor.compareTo(after) <= 0;
      case LESS_THAN_INITIAL_SHARE -> preemptor.compareTo(before) < 0;
    };
  }

  private boolean secondPass() {
    left = new ArrayList<>(retry);
    dropped.clear();
    while (true) {
      Optional<Node> target = next();
      if (target.isEmpty()) {
        return false;
      }
      Node queue = target.get();
      Portion preemptor = quota.portion(belowMeeting(search.mine, queue));
      Portion before = quota.portion(belowMeeting(queue, search.mine));
      if (preemptor.compareTo(before) < 0) {
        search.remove(new Target(pop(queue), Cause.IN_COHORT_FAIR_SHARING));
        if (fits()) {
          return true;
        }
      }
      dropped.add(queue);
    }
  }

  /** The node on the way up from a queue that is right below the lowest cohort above both. */
  private Node belowMeeting(Node queue, Node other) {
    Node at = queue;
    while (!isAbove(quota.parent(at), other)) {
      at = quota.parent(at);
    }
    return at;
  }

  private boolean isAbove(Node node, Node queue) {
    Node at = queue;
    while (!at.equals(node) && quota.hasParent(at)) {
      at = quota.parent(at);
    }
    return at.equals(node);
  }

  private Optional<QuotaReservation> first(Node queue) {
    return left.stream()
        .filter(reservation -> reservation.clusterQueue().equals(queue.name()))
        .findFirst();
  }

  private QuotaReservation pop(Node queue) {
    QuotaReservation first = first(queue).orElseThrow();
    left.remove(first);
    return first;
  }

  /** The queue to take from next; none once the root has nothing left. */
  private Optional<Node> next() {
    Node root = quota.root(search.mine);
    if (root.queue()) {
      return first(root).isPresent() ? Optional.of(root) : Optional.empty();
    }
    while (!dropped.contains(root)) {
      Optional<Node> found = descend(root);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Node> descend(Node cohort) {
    Optional<Node> queue = highestQueue(cohort);
    Optional<Node> below = highestCohort(cohort);
    if (queue.isEmpty() && below.isEmpty()) {
      dropped.add(cohort);
      return Optional.empty();
    }
    boolean goesDown =
        below.isPresent()
            && (queue.isEmpty()
                || quota.portion(below.get()).compareTo(quota.portion(queue.get())) >= 0);
    return goesDown ? descend(below.get()) : queue;
  }

  private Optional<Node> highestQueue(Node cohort) {
    Optional<Node> highest = Optional.empty();
    for (Node queue : quota.children(cohort)) {
      if (!queue.queue() || isOut(queue, queue.equals(search.mine))) {
        continue;
      }
      if (highest.isEmpty() || comesBefore(queue, highest.get())) {
        highest = Optional.of(queue);
      }
    }
    return highest;
  }

  private boolean comesBefore(Node queue, Node other) {
    int byShare = quota.portion(queue).compareTo(quota.portion(other));
    return byShare != 0
        ? byShare > 0
        : search.order().compare(first(queue).orElseThrow(), first(other).orElseThrow()) < 0;
  }

  private Optional<Node> highestCohort(Node parent) {
    Optional<Node> highest = Optional.empty();
    for (Node cohort : quota.children(parent)) {
      if (cohort.queue() || isOut(cohort, isAbove(cohort, search.mine))) {
        continue;
      }
      if (highest.isEmpty() || quota.portion(cohort).compareTo(quota.portion(highest.get())) >= 0) {
        highest = Optional.of(cohort);
      }
    }
    return highest;
  }

  /** Whether a node is dropped, which is for good. */
  private boolean isOut(Node node, boolean preemptors) {
    if ((!preemptors && !quota.borrowsAnything(node)) || (node.queue() && first(node).isEmpty())) {
      dropped.add(node);
    }
    return dropped.contains(node);
  }
}
