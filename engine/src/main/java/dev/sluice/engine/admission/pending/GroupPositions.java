package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.pending.InadmissibleGroups.Blocker;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the groups of a queue: ready, in order, or inadmissible.
 *
 * <p>When quota comes back, the inadmissible groups are <em>reconsidered</em>: from then on, as
 * long as there is enough quota for one of them, the first of those may be the head. It stays
 * inadmissible until it is {@linkplain #requeue requeued}, since most groups that returned quota
 * may help come too late, and have then not moved at all.
 */
final class GroupPositions {
  private final TreeSet<EquivalenceGroup> ready = new TreeSet<>();
  private final InadmissibleGroups inadmissible = new InadmissibleGroups();
  private boolean anyReady; // asked for in every cycle, so it is kept right here
  private boolean anyWithoutBlockers;
  private boolean reconsidering;
  private @Nullable QueuePrecheck precheck;
  private boolean changed;

  /** How many workloads are ready. */
  int ready() {
    return ready.stream().mapToInt(EquivalenceGroup::size).sum();
  }

  boolean isReady(EquivalenceGroup group) {
    return ready.contains(group);
  }

  /** Whether there may be a first; only {@link #first} knows. */
  boolean mayHaveFirst() {
    return reconsidering || anyReady;
  }

  /** Whether one of the inadmissible groups may be the head. */
  boolean isReconsidering() {
    return reconsidering;
  }

  /** None of the inadmissible groups can be the head any more. */
  void stopReconsidering() {
    reconsidering = false;
  }

  /** What is known of the inadmissible groups, if none is ready; null if that is not enough. */
  @Nullable QueuePrecheck precheck(PendingQueue queue) {
    if (changed) {
      precheck = anyReady ? null : inadmissible.precheck(queue);
      changed = false;
    }
    return precheck;
  }

  /** The first in the order of the queue. */
  @Nullable EquivalenceGroup first() {
    EquivalenceGroup first = anyReady ? ready.first() : null;
    if (reconsidering) {
      EquivalenceGroup unblocked = inadmissible.firstUnblocked();
      reconsidering = unblocked != null;
      if (unblocked != null && (first == null || unblocked.compareTo(first) < 0)) {
        return unblocked;
      }
    }
    return first;
  }

  /** Of the ready groups the first by another order, and among equals by that of the queue. */
  @Nullable EquivalenceGroup firstReady(Comparator<EquivalenceGroup> order) {
    EquivalenceGroup first = null;
    for (EquivalenceGroup group : ready) {
      if (first == null || order.compare(group, first) < 0) {
        first = group;
      }
    }
    return first;
  }

  /** Adds an entry to its group, or removes it; the group moves if the entry is its first. */
  void change(PendingEntry entry, Consumer<PendingEntry> change) {
    EquivalenceGroup group = entry.group();
    boolean moves = group.leads(entry);
    changed |= moves;
    if (moves && !group.isEmpty()) {
      unlist(group);
    }
    change.accept(entry);
    if (moves && !group.isEmpty()) {
      list(group);
    }
    if (group.isEmpty()) {
      inadmissible.forget(group);
    }
  }

  private void unlist(EquivalenceGroup group) {
    if (group.inadmissible) {
      inadmissible.unlist(group);
    } else {
      makeUnready(group);
    }
  }

  private void list(EquivalenceGroup group) {
    if (group.inadmissible) {
      inadmissible.listWithNewHead(group);
    } else {
      makeReady(group);
    }
  }

  /**
   * @param blockers empty if nothing proves that the group does not fit
   */
  void markInadmissible(EquivalenceGroup group, List<Blocker> blockers) {
    leave(group);
    inadmissible.add(group, blockers);
    anyWithoutBlockers |= blockers.isEmpty();
  }

  /** Makes a group inadmissible until the rules change. */
  void exclude(EquivalenceGroup group) {
    leave(group);
    inadmissible.exclude(group);
  }

  private void leave(EquivalenceGroup group) {
    changed = true;
    if (group.inadmissible) {
      inadmissible.remove(group);
    } else {
      makeUnready(group);
    }
    group.inadmissible = true;
  }

  void requeue(EquivalenceGroup group) {
    if (group.inadmissible) {
      inadmissible.remove(group);
      makeReady(group);
    }
  }

  /** Requeues all groups, also the excluded. */
  void requeueAll(Collection<EquivalenceGroup> groups) {
    inadmissible.clear();
    changed = true;
    reconsidering = false;
    for (EquivalenceGroup group : groups) {
      group.inadmissible = false;
      group.blockers = List.of();
    }
    ready.addAll(groups);
    anyReady = !ready.isEmpty();
  }

  /** Requeues all groups but the excluded. */
  void requeueInadmissible(Collection<EquivalenceGroup> groups) {
    for (EquivalenceGroup group : groups) {
      if (!inadmissible.isExcluded(group)) {
        requeue(group);
      }
    }
  }

  /** Requeues the groups without blockers, and reconsiders the others. */
  void reconsider() {
    reconsidering = true;
    if (anyWithoutBlockers) {
      anyWithoutBlockers = false;
      inadmissible.takeWithoutBlockers().forEach(this::makeReady);
    }
  }

  /** Requeues all groups that the quota there is now may help. */
  void requeueUnblocked() {
    inadmissible.takeUnblocked().forEach(this::makeReady);
  }

  private void makeReady(EquivalenceGroup group) {
    changed = true;
    group.inadmissible = false;
    ready.add(group);
    anyReady = true;
  }

  private void makeUnready(EquivalenceGroup group) {
    ready.remove(group);
    anyReady = !ready.isEmpty();
  }
}
