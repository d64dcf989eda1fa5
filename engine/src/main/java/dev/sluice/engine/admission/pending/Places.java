package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.pending.ParkedGroups.Blocker;
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
final class Places {
  private final TreeSet<WaitingGroup> ready = new TreeSet<>();
  private final ParkedGroups parked = new ParkedGroups();
  private boolean anyReady; // asked for in every round, so it is kept right here
  private boolean anyUnproven;
  private boolean called;
  private @Nullable Outlook outlook;
  private boolean changed;

  /** How many workloads are ready. */
  int ready() {
    return ready.stream().mapToInt(WaitingGroup::size).sum();
  }

  boolean isReady(WaitingGroup group) {
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
  @Nullable Outlook outlook(WaitingLine line) {
    if (changed) {
      outlook = anyReady ? null : parked.outlook(line);
      changed = false;
    }
    return outlook;
  }

  /** The first in the line. */
  @Nullable WaitingGroup first() {
    WaitingGroup first = anyReady ? ready.first() : null;
    if (called) {
      WaitingGroup helped = parked.firstHelped();
      called = helped != null;
      if (helped != null && (first == null || helped.compareTo(first) < 0)) {
        return helped;
      }
    }
    return first;
  }

  /** The first by another order, and among equals by that of the line; of those who are ready. */
  @Nullable WaitingGroup firstReady(Comparator<WaitingGroup> order) {
    WaitingGroup first = null;
    for (WaitingGroup group : ready) {
      if (first == null || order.compare(group, first) < 0) {
        first = group;
      }
    }
    return first;
  }

  /** Adds a member to its group, or removes it; the group changes its place if that one leads. */
  void change(WaitingItem item, Consumer<WaitingItem> change) {
    WaitingGroup group = item.group();
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

  private void unlist(WaitingGroup group) {
    if (group.parked) {
      parked.unlist(group);
    } else {
      makeUnready(group);
    }
  }

  private void list(WaitingGroup group) {
    if (group.parked) {
      parked.listUntold(group);
    } else {
      makeReady(group);
    }
  }

  /**
   * @param blockers empty if nothing proves that the group cannot go
   */
  void park(WaitingGroup group, List<Blocker> blockers) {
    leave(group);
    parked.add(group, blockers);
    anyUnproven |= blockers.isEmpty();
  }

  /** Parks a group until the rules change. */
  void parkApart(WaitingGroup group) {
    leave(group);
    parked.addApart(group);
  }

  private void leave(WaitingGroup group) {
    changed = true;
    if (group.parked) {
      parked.remove(group);
    } else {
      makeUnready(group);
    }
    group.parked = true;
  }

  void bringBack(WaitingGroup group) {
    if (group.parked) {
      parked.remove(group);
      makeReady(group);
    }
  }

  /** Brings back everybody. */
  void bringBackAll(Collection<WaitingGroup> groups) {
    parked.clear();
    changed = true;
    called = false;
    for (WaitingGroup group : groups) {
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

  private void makeReady(WaitingGroup group) {
    changed = true;
    group.parked = false;
    ready.add(group);
    anyReady = true;
  }

  private void makeUnready(WaitingGroup group) {
    ready.remove(group);
    anyReady = !ready.isEmpty();
  }
}
