package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.MergedCandidates.Candidate;
import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.Counted;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaCell;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The state of one preemption search, classical or fair: the preemptor, what it needs, and the
 * victims that are removed on trial.
 */
final class PreemptionContext {
  private final QuotaLedger ledger;
  private final PreemptionRules rules;
  private final PendingWorkload workload;
  private final Usage request;
  private final Set<FlavorResource> needed;
  private final QueueSpec queue;
  private final QuotaNode node;
  private final Comparator<QuotaReservation> order;
  private final Set<String> evictedBefore;
  private final List<Need> needs;
  private final List<Gone> removed = new ArrayList<>();

  /** A requested amount, and the cell that counts it. */
  private record Need(QuotaCell cell, long amount) {}

  /** A victim on trial, where its usage is counted, and the cause of its preemption. */
  private record Gone(QuotaReservation victim, Counted counted, Cause cause) {

    Target target() {
      return new Target(victim, cause);
    }
  }

  PreemptionContext(
      QuotaLedger ledger,
      PreemptionRules rules,
      PendingWorkload workload,
      Usage request,
      Set<FlavorResource> needed) {
    this.ledger = ledger;
    this.rules = rules;
    this.workload = workload;
    this.request = request;
    this.needed = needed;
    this.queue = ledger.queue(workload.clusterQueue()).orElseThrow();
    this.node = ledger.tree().queue(workload.clusterQueue()).orElseThrow();
    this.order = this::compare;
    this.evictedBefore = ledger.history().to(node, workload.path());
    this.needs = new ArrayList<>(request.size());
    for (int i = 0; i < request.size(); i++) {
      needs.add(new Need(node.cell(request.what(i)), request.amount(i)));
    }
  }

  /** Whether the preemptor certainly does not fit, whatever is preempted. */
  boolean isBeyondReach() {
    UpperBound bound = UpperBound.of(node, queue, rules.fair());
    for (int i = 0; i < needs.size(); i++) {
      Need need = needs.get(i);
      if (needed.contains(request.what(i))
          && need.amount > bound.most(need.cell, workload.priority())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the preemptor only reclaims its queue's own quota, in a cohort without sub-cohorts. */
  boolean takesBackItsOwn() {
    QuotaNode parent = node.parent();
    boolean flat = parent != null && parent.parent() == null && !rules.regardUsage();
    return flat && queue.preemption().withinCohort() != PreemptionPolicy.NEVER && staysWithinOwn();
  }

  private boolean staysWithinOwn() {
    for (Need need : needs) {
      if (need.cell.borrowsWith(need.amount)) {
        return false;
      }
    }
    return true;
  }

  /** Whether no workload of the own queue is preempted before one of another queue. */
  boolean comesFirst(QuotaReservation stranger) {
    return stranger.evicted() || !ledger.hasEvicted(queue.name());
  }

  private int compare(QuotaReservation one, QuotaReservation other) {
    if (one.evicted() != other.evicted()) {
      return one.evicted() ? -1 : 1;
    }
    boolean own = one.clusterQueue().equals(queue.name());
    if (own != other.clusterQueue().equals(queue.name())) {
      return own ? 1 : -1;
    }
    int byUsage = byUsage(one, other);
    return byUsage != 0 ? byUsage : QuotaReservation.inPreemptionOrder(one, other);
  }

  /** Within one queue, the workloads of LocalQueues with more past usage come first. */
  private int byUsage(QuotaReservation one, QuotaReservation other) {
    return one.clusterQueue().equals(other.clusterQueue())
        ? rules.byUsage().compare(other.localQueuePath(), one.localQueuePath())
        : 0;
  }

  QueueSpec queue() {
    return queue;
  }

  QuotaNode node() {
    return node;
  }

  PendingWorkload workload() {
    return workload;
  }

  Usage request() {
    return request;
  }

  Set<FlavorResource> needed() {
    return needed;
  }

  /** Whether the workload was preempted itself lately. */
  boolean wasPreempted() {
    return ledger.history().contains(node, workload.path());
  }

  /** The order in which candidates are preempted. */
  Comparator<QuotaReservation> order() {
    return order;
  }

  /** The workloads of a queue that use what is needed and that the policy allows, in order. */
  List<QuotaReservation> candidates(QuotaNode of, PreemptionPolicy policy) {
    var candidates = new ArrayList<QuotaReservation>();
    lazyCandidates(of, policy).forEachRemaining(candidates::add);
    return candidates;
  }

  /** The same, but found lazily. */
  Iterator<QuotaReservation> lazyCandidates(QuotaNode of, PreemptionPolicy policy) {
    if (policy == PreemptionPolicy.NEVER || !ledger.admits(of.name())) {
      return Collections.emptyIterator();
    }
    Iterator<QuotaReservation> some =
        new Suitable(this, policy, ledger.reservations(of.name()).iterator());
    return rules.regardUsage() ? sorted(some) : some;
  }

  /**
   * The workloads of other queues that borrow, in order, also some that the policy does not allow.
   * Where usage counts, the order depends on the preemptor, so it cannot be shared.
   */
  MergedCandidates strangers(Borrowers borrowers, PreemptionPolicy policy) {
    if (!rules.regardUsage()) {
      return borrowers.below(node.root(), needed);
    }
    var all = new MergedCandidates(order);
    node.root()
        .forEachQueue(of -> {
          if (of != node && of.borrowsAny(needed)) {
            all.add(new CohortPath(of, needed), lazyCandidates(of, policy));
          }
        });
    return all;
  }

  private Iterator<QuotaReservation> sorted(Iterator<QuotaReservation> some) {
    var all = new ArrayList<QuotaReservation>();
    some.forEachRemaining(all::add);
    all.sort(order);
    return all.iterator();
  }

  /** Whether a policy allows a victim, and its preemption helps. */
  boolean mayTake(QuotaReservation held, PreemptionPolicy policy) {
    return mayEvict(held, policy) && held.usage().touches(needed);
  }

  /** Whether a policy spares a workload and all behind it in the order of preemption. */
  boolean sparesAllFrom(QuotaReservation held, PreemptionPolicy policy) {
    return !held.evicted()
        && switch (policy) {
          case NEVER -> true;
          case ANY -> false;
          case LOWER_PRIORITY -> held.priority() >= workload.priority();
          case LOWER_OR_NEWER_EQUAL_PRIORITY -> held.priority() > workload.priority();
        };
  }

  private boolean mayEvict(QuotaReservation held, PreemptionPolicy policy) {
    if (isReplaced(held) || (!held.evicted() && evictedBefore.contains(held.path()))) {
      return false;
    }
    return switch (policy) {
      case NEVER -> false;
      case ANY -> true;
      case LOWER_PRIORITY -> workload.priority() > held.priority();
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
          workload.priority() > held.priority()
              || (workload.priority() == held.priority()
                  && workload.since().plus(rules.newerBy()).isBefore(held.precedence().since()));
    };
  }

  private boolean isReplaced(QuotaReservation held) {
    return workload.replaces().map(slice -> slice.path().equals(held.path())).orElse(false);
  }

  boolean withinQuota(QuotaNode of) {
    return !of.borrowsAny(needed);
  }

  boolean fits(boolean mayBorrow) {
    for (Need need : needs) {
      if (need.amount > 0
          && (need.amount > Math.max(0, need.cell.available())
              || (!mayBorrow && need.cell.borrowsWith(need.amount)))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the preemptor fits once one candidate is gone. */
  boolean fitsWithout(Candidate one) {
    one.counted().remove();
    boolean fits = fits(true);
    one.counted().add();
    return fits;
  }

  void remove(QuotaReservation victim, QuotaNode from, Cause cause) {
    remove(new Gone(victim, from.counted(victim.usage()), cause));
  }

  void remove(Candidate candidate, Cause cause) {
    remove(new Gone(candidate.held(), candidate.counted(), cause));
  }

  private void remove(Gone gone) {
    gone.counted.remove();
    removed.add(gone);
  }

  /** Puts back, latest first, the victims that need not go after all; returns the others. */
  List<Target> necessary(boolean mayBorrow) {
    for (int i = removed.size() - 2; i >= 0; i--) {
      Gone gone = removed.get(i);
      gone.counted.add();
      if (fits(mayBorrow)) {
        removed.set(i, removed.getLast());
        removed.removeLast();
      } else {
        gone.counted.remove();
      }
    }
    var targets = new ArrayList<Target>();
    removed.forEach(gone -> targets.add(gone.target()));
    return targets;
  }

  /** Puts all victims on trial back. */
  void restore() {
    removed.forEach(gone -> gone.counted.add());
    removed.clear();
  }
}
