package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.pending.InadmissibleGroups.Blocker;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the groups of a line stand: ready, in order, or parked.
 *
 * <p>When quota comes back, the parked are <em>called</em>: from then on, as long as there is room
 * for one of them, the first of those is taken to be in the line. It stays parked until somebody
 * {@linkplain #bringBack brings it back}, since most of those whom returned quota may help come too
 * late, and have then not moved at all.
 */
final class GroupPositions {
  private final TreeSet<EquivalenceGroup> ready = new TreeSet<>();
  private final InadmissibleGroups parked = new InadmissibleGroups();
  private boolean anyReady; // asked for in every round, so it is kept right here
  private boolean anyUnproven;
  private boolean called;
  private @Nullable QueuePrecheck outlook;
  private boolean changed;

  /** How many workloads are ready. */
  int ready() {
    return ready.stream().mapToInt(EquivalenceGroup::size).sum();
  }

  boolean isReady(EquivalenceGroup group) {
    return ready.contains(group);
  }

  /** Whether there may be a first; only a closer look tells. */
  boolean mayHaveFirst() {
    return called || anyReady;
  }

  /** Whether the parked were called, and may still be in the line. */
  boolean isCalled() {
    return called;
  }

  /** The parked are not called any more: nobody of them can go. */
  void dismiss() {
    called = false;
  }

  /** What is known of the parked, if nobody is ready; null if it takes a closer look. */
  @Nullable QueuePrecheck outlook(PendingQueue line) {
    if (changed) {
      outlook = anyReady ? null : parked.outlook(line);
      changed = false;
    }
    return outlook;
  }

  /** The first in the line. */
  @Nullable EquivalenceGroup first() {
    EquivalenceGroup first = anyReady ? ready.first() : null;
    if (called) {
      EquivalenceGroup helped = parked.firstHelped();
      called = helped != null;
      if (helped != null && (first == null || helped.compareTo(first) < 0)) {
        return helped;
      }
    }
    return first;
  }

  /** The first by another order, and among equals by that of the line; of those who are ready. */
  @Nullable EquivalenceGroup firstReady(Comparator<EquivalenceGroup> order) {
    EquivalenceGroup first = null;
    for (EquivalenceGroup group : ready) {
      if (first == null || order.compare(group, first) < 0) {
        first = group;
      }
    }
    return first;
  }

  /** Adds a member to its group, or removes it; the group changes its place if that one leads. */
  void change(PendingEntry item, Consumer<PendingEntry> change) {
    EquivalenceGroup group = item.group();
    boolean moves = group.leads(item);
    changed |= moves;
    if (moves && !group.isEmpty()) {
      unlist(group);
    }
    change.accept(item);
    if (moves && !group.isEmpty()) {
      list(group);
    }
    if (group.isEmpty()) {
      parked.forget(group);
    }
  }

  private void unlist(EquivalenceGroup group) {
    if (group.parked) {
      parked.unlist(group);
    } else {
      makeUnready(group);
    }
  }

  private void list(EquivalenceGroup group) {
    if (group.parked) {
      parked.listUntold(group);
    } else {
      makeReady(group);
    }
  }

  /**
   * @param blockers empty if nothing proves that the group cannot go
   */
  void park(EquivalenceGroup group, List<Blocker> blockers) {
    leave(group);
    parked.add(group, blockers);
    anyUnproven |= blockers.isEmpty();
  }

  /** Parks a group until the rules change. */
  void parkApart(EquivalenceGroup group) {
    leave(group);
    parked.addApart(group);
  }

  private void leave(EquivalenceGroup group) {
    changed = true;
    if (group.parked) {
      parked.remove(group);
    } else {
      makeUnready(group);
    }
    group.parked = true;
  }

  void bringBack(EquivalenceGroup group) {
    if (group.parked) {
      parked.remove(group);
      makeReady(group);
    }
  }

  /** Brings back everybody. */
  void bringBackAll(Collection<EquivalenceGroup> groups) {
    parked.clear();
    changed = true;
    called = false;
    for (EquivalenceGroup group : groups) {
      group.parked = false;
      group.blockers = List.of();
    }
    ready.addAll(groups);
    anyReady = !ready.isEmpty();
  }

  /** Brings those back of whom nobody knows whether they can go, and calls the others. */
  void call() {
    called = true;
    if (anyUnproven) {
      anyUnproven = false;
      parked.takeUnproven().forEach(this::makeReady);
    }
  }

  /** Brings all those back whom the room there is now may help. */
  void bringBackHelped() {
    parked.takeHelped().forEach(this::makeReady);
  }

  private void makeReady(EquivalenceGroup group) {
    changed = true;
    group.parked = false;
    ready.add(group);
    anyReady = true;
  }

  private void makeUnready(EquivalenceGroup group) {
    ready.remove(group);
    anyReady = !ready.isEmpty();
  }
}
