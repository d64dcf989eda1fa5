package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.Target.Cause;
import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.Reservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What both ways of searching share: who is looking, for what, and the trying out. */
final class Search {
  private final Ledger ledger;
  private final PreemptionRules rules;
  private final PendingWorkload workload;
  private final Usage request;
  private final Set<FlavorResource> needed;
  private final QueueSpec queue;
  private final QuotaNode node;
  private final Comparator<Reservation> order;
  private final List<Target> removed = new ArrayList<>();

  Search(
      Ledger ledger,
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
  }

  private int compare(Reservation one, Reservation other) {
    if (one.evicted() != other.evicted()) {
      return one.evicted() ? -1 : 1;
    }
    boolean own = one.clusterQueue().equals(queue.name());
    if (own != other.clusterQueue().equals(queue.name())) {
      return own ? 1 : -1;
    }
    int byUsage = byUsage(one, other);
    return byUsage != 0 ? byUsage : Reservation.byGivingWay(one, other);
  }

  /** Within one queue, the workloads of those who used more before come first. */
  private int byUsage(Reservation one, Reservation other) {
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

  QuotaNode nodeOf(Reservation held) {
    return ledger.tree().queue(held.clusterQueue()).orElseThrow();
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

  /** Who gives way first. */
  Comparator<Reservation> order() {
    return order;
  }

  /** Those in a queue that use what is needed and that the policy lets it evict, in order. */
  List<Reservation> candidates(QuotaNode of, PreemptionPolicy policy) {
    var candidates = new ArrayList<Reservation>();
    lazyCandidates(of, policy).forEachRemaining(candidates::add);
    return candidates;
  }

  /** The same, but not looked for before they are asked for. */
  Iterator<Reservation> lazyCandidates(QuotaNode of, PreemptionPolicy policy) {
    if (policy == PreemptionPolicy.NEVER || !ledger.admits(of.name())) {
      return Collections.emptyIterator();
    }
    Iterator<Reservation> some = new Suitable(ledger.reservations(of.name()).iterator(), policy);
    return rules.regardUsage() ? sorted(some) : some;
  }

  private Iterator<Reservation> sorted(Iterator<Reservation> some) {
    var all = new ArrayList<Reservation>();
    some.forEachRemaining(all::add);
    all.sort(order);
    return all.iterator();
  }

  /** Those of a queue who may be evicted and use what is needed. */
  private final class Suitable implements Iterator<Reservation> {
    private final Iterator<Reservation> all;
    private final PreemptionPolicy policy;
    private @Nullable Reservation next;

    Suitable(Iterator<Reservation> all, PreemptionPolicy policy) {
      this.all = all;
      this.policy = policy;
    }

    @Override
    public boolean hasNext() {
      while (next == null && all.hasNext()) {
        Reservation held = all.next();
        next = mayEvict(held, policy) && held.usage().touches(needed) ? held : null;
      }
      return next != null;
    }

    @Override
    public Reservation next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      Reservation found = next;
      next = null;
      return found;
    }
  }

  private boolean mayEvict(Reservation held, PreemptionPolicy policy) {
    if (isReplaced(held)) {
      return false;
    }
    return switch (policy) {
      case NEVER -> false;
      case ANY -> true;
      case LOWER_PRIORITY -> workload.priority() > held.priority();
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
          workload.priority() > held.priority()
              || (workload.priority() == held.priority()
                  && workload.since().plus(rules.newerBy()).isBefore(held.since()));
    };
  }

  private boolean isReplaced(Reservation held) {
    return workload.replaces().map(slice -> slice.path().equals(held.path())).orElse(false);
  }

  boolean withinQuota(QuotaNode of) {
    for (FlavorResource one : needed) {
      if (of.borrows(one)) {
        return false;
      }
    }
    return true;
  }

  boolean fits(boolean mayBorrow) {
    for (Map.Entry<FlavorResource, Long> entry : request.entries()) {
      long amount = entry.getValue();
      if (amount > 0
          && (amount > node.available(entry.getKey())
              || (!mayBorrow && node.borrowsWith(entry.getKey(), amount)))) {
        return false;
      }
    }
    return true;
  }

  void remove(Reservation victim, Cause cause) {
    nodeOf(victim).remove(victim.usage());
    removed.add(new Target(victim, cause));
  }

  /** Puts back, latest first, whoever need not go after all; returns who must. */
  List<Target> necessary(boolean mayBorrow) {
    var targets = new ArrayList<>(removed);
    for (int i = targets.size() - 2; i >= 0; i--) {
      Reservation victim = targets.get(i).victim();
      nodeOf(victim).add(victim.usage());
      if (fits(mayBorrow)) {
        targets.set(i, targets.getLast());
        targets.removeLast();
      } else {
        nodeOf(victim).remove(victim.usage());
      }
    }
    removed.clear();
    removed.addAll(targets);
    return targets;
  }

  /** Takes back all that was tried. */
  void restore() {
    removed.forEach(target -> nodeOf(target.victim()).add(target.victim().usage()));
    removed.clear();
  }
}
