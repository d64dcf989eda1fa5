package dev.sluice.engine.admission.pending;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a line that were put aside, by what keeps them from going.
 *
 * <p>Goal: when quota comes back, find the first in line whom it may help without looking at the
 * others. Method: who certainly cannot go before more of something is free is kept by that amount.
 */
final class InadmissibleGroups {
  /** The highest priority first, since it may take from the others. */
  private final List<Watch> watches = new ArrayList<>();

  private final Set<EquivalenceGroup> unproven = new LinkedHashSet<>();
  private final Set<EquivalenceGroup> apart = new LinkedHashSet<>();
  private final Set<EquivalenceGroup> untold = new LinkedHashSet<>();

  /**
   * An amount that a group needs. One of a group's blockers must fall before it can go.
   *
   * @param amount more than there is for it, free or to be taken back
   */
  record Blocker(Headroom.Room room, long amount) {}

  /** Those of one priority who wait for more of the same. */
  private static final class Watch {
    private final Headroom.Room room;
    private final long priority;
    private final AmountIndex byAmount = new AmountIndex();

    Watch(Headroom.Room room, long priority) {
      this.room = room;
      this.priority = priority;
    }

    boolean watches(Headroom.Room one, long ofPriority) {
      return priority == ofPriority && room == one;
    }
  }

  /** Those whom no amount of quota helps, before somebody changes the rules. */
  void addApart(EquivalenceGroup group) {
    apart.add(group);
  }

  /**
   * @param blockers empty if nothing proves that the group cannot go
   */
  void add(EquivalenceGroup group, List<Blocker> blockers) {
    group.blockers = List.copyOf(blockers);
    if (blockers.isEmpty()) {
      unproven.add(group);
    }
    list(group);
  }

  void remove(EquivalenceGroup group) {
    unlist(group);
    forget(group);
  }

  /** Removes a group that is not in the order any more. */
  void forget(EquivalenceGroup group) {
    unproven.remove(group);
    apart.remove(group);
    untold.remove(group);
    group.blockers = List.of();
  }

  /** Takes a group out of the order, as long as its first member changes. */
  void unlist(EquivalenceGroup group) {
    for (Blocker blocker : group.blockers) {
      Watch watch = watch(blocker.room(), group.priority);
      watch.byAmount.remove(blocker.amount(), group);
      if (watch.byAmount.isEmpty()) {
        watches.remove(watch);
      }
    }
  }

  /** Puts a group back into the order with another first member, who does not know why it waits. */
  void listUntold(EquivalenceGroup group) {
    untold.add(group);
    list(group);
  }

  private void list(EquivalenceGroup group) {
    for (Blocker blocker : group.blockers) {
      watch(blocker.room(), group.priority).byAmount.add(blocker.amount(), group);
    }
  }

  private Watch watch(Headroom.Room room, long priority) {
    int place = 0;
    while (place < watches.size() && watches.get(place).priority >= priority) {
      if (watches.get(place).watches(room, priority)) {
        return watches.get(place);
      }
      place++;
    }
    var watch = new Watch(room, priority);
    watches.add(place, watch);
    return watch;
  }

  /** The first in line who may be able to go, by what there is now. */
  @Nullable EquivalenceGroup firstHelped() {
    EquivalenceGroup first = null;
    for (Watch watch : watches) {
      if (first != null && first.priority > watch.priority) {
        break;
      }
      first = EquivalenceGroup.earlier(first, firstHelped(watch));
    }
    return first;
  }

  private static @Nullable EquivalenceGroup firstHelped(Watch watch) {
    long most = watch.room.most(watch.priority);
    return watch.byAmount.least() > most ? null : watch.byAmount.first(most);
  }

  /**
   * What all of them need, if it is known of everybody and the first of each group knows it too.
   * Null if not, or if nobody lacks anything.
   */
  @Nullable QueuePrecheck outlook(PendingQueue line) {
    if (watches.isEmpty() || !unproven.isEmpty() || !untold.isEmpty()) {
      return null;
    }
    var lacks = new ArrayList<QueuePrecheck.Lack>();
    for (Watch watch : watches) {
      lacks.add(watch.room.lack(watch.priority, watch.byAmount.stairs()));
    }
    return new QueuePrecheck(line, lacks);
  }

  /** Takes those out of whom nobody knows whether they can go. */
  List<EquivalenceGroup> takeUnproven() {
    if (unproven.isEmpty()) {
      return List.of();
    }
    var taken = List.copyOf(unproven);
    unproven.clear();
    taken.forEach(untold::remove);
    return taken;
  }

  /** Takes all out who may be able to go, by what there is now. */
  List<EquivalenceGroup> takeHelped() {
    var taken = new ArrayList<>(takeUnproven());
    for (EquivalenceGroup next = firstHelped(); next != null; next = firstHelped()) {
      remove(next);
      taken.add(next);
    }
    return taken;
  }

  /** Forgets all; they are somewhere else from now on. */
  void clear() {
    watches.clear();
    unproven.clear();
    apart.clear();
    untold.clear();
  }
}
