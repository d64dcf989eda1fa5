package dev.sluice.engine.admission.pending;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The inadmissible groups of a queue, by what blocks them.
 *
 * <p>Goal: when quota comes back, find the first group that it may help without looking at the
 * others. Method: a group that certainly does not fit before more of something is free is kept by
 * that amount.
 */
final class InadmissibleGroups {
  /** The highest priority first, since it may preempt the others. */
  private final List<BlockedAmounts> blockedAmounts = new ArrayList<>();

  private final Set<EquivalenceGroup> withoutBlockers = new LinkedHashSet<>();
  private final Set<EquivalenceGroup> excluded = new LinkedHashSet<>();
  private final Set<EquivalenceGroup> headUntried = new LinkedHashSet<>();

  /**
   * An amount that a group needs. One of a group's blockers must fall before it can fit.
   *
   * @param amount more than there is for it, free or by preemption
   */
  record Blocker(Headroom.Room room, long amount) {}

  /** The groups of one priority that need more of the same. */
  private static final class BlockedAmounts {
    private final Headroom.Room room;
    private final long priority;
    private final AmountIndex byAmount = new AmountIndex();

    BlockedAmounts(Headroom.Room room, long priority) {
      this.room = room;
      this.priority = priority;
    }

    boolean isOf(Headroom.Room otherRoom, long otherPriority) {
      return priority == otherPriority && room == otherRoom;
    }
  }

  /** Adds a group that no amount of quota helps before the rules change. */
  void exclude(EquivalenceGroup group) {
    excluded.add(group);
  }

  boolean isExcluded(EquivalenceGroup group) {
    return excluded.contains(group);
  }

  /**
   * @param blockers empty if nothing proves that the group does not fit
   */
  void add(EquivalenceGroup group, List<Blocker> blockers) {
    group.blockers = List.copyOf(blockers);
    if (blockers.isEmpty()) {
      withoutBlockers.add(group);
    }
    list(group);
  }

  void remove(EquivalenceGroup group) {
    unlist(group);
    forget(group);
  }

  /** Removes a group that is not in the order any more. */
  void forget(EquivalenceGroup group) {
    withoutBlockers.remove(group);
    excluded.remove(group);
    headUntried.remove(group);
    group.blockers = List.of();
  }

  /** Takes a group out of the order, as long as its first entry changes. */
  void unlist(EquivalenceGroup group) {
    for (Blocker blocker : group.blockers) {
      BlockedAmounts blocked = amounts(blocker.room(), group.priority);
      blocked.byAmount.remove(blocker.amount(), group);
      if (blocked.byAmount.isEmpty()) {
        blockedAmounts.remove(blocked);
      }
    }
  }

  /** Puts a group back into the order with another first entry, which was not tried. */
  void listWithNewHead(EquivalenceGroup group) {
    headUntried.add(group);
    list(group);
  }

  private void list(EquivalenceGroup group) {
    for (Blocker blocker : group.blockers) {
      amounts(blocker.room(), group.priority).byAmount.add(blocker.amount(), group);
    }
  }

  private BlockedAmounts amounts(Headroom.Room room, long priority) {
    int place = 0;
    while (place < blockedAmounts.size() && blockedAmounts.get(place).priority >= priority) {
      if (blockedAmounts.get(place).isOf(room, priority)) {
        return blockedAmounts.get(place);
      }
      place++;
    }
    var blocked = new BlockedAmounts(room, priority);
    blockedAmounts.add(place, blocked);
    return blocked;
  }

  /** The first group that may fit, by what there is now. */
  @Nullable EquivalenceGroup firstUnblocked() {
    EquivalenceGroup first = null;
    for (BlockedAmounts blocked : blockedAmounts) {
      if (first != null && first.priority > blocked.priority) {
        break;
      }
      first = EquivalenceGroup.earlier(first, firstUnblocked(blocked));
    }
    return first;
  }

  private static @Nullable EquivalenceGroup firstUnblocked(BlockedAmounts blocked) {
    long most = blocked.room.most(blocked.priority);
    return blocked.byAmount.least() > most ? null : blocked.byAmount.first(most);
  }

  /**
   * What all of them need, if all have blockers and the first entry of each was tried. Null if not,
   * or if there are none.
   */
  @Nullable QueuePrecheck precheck(PendingQueue queue) {
    if (blockedAmounts.isEmpty() || !withoutBlockers.isEmpty() || !headUntried.isEmpty()) {
      return null;
    }
    var shortages = new ArrayList<QueuePrecheck.Shortage>();
    for (BlockedAmounts blocked : blockedAmounts) {
      shortages.add(blocked.room.shortage(blocked.priority, blocked.byAmount.frontier()));
    }
    return new QueuePrecheck(queue, shortages);
  }

  /** Takes the groups out that nothing proves not to fit. */
  List<EquivalenceGroup> takeWithoutBlockers() {
    if (withoutBlockers.isEmpty()) {
      return List.of();
    }
    var taken = List.copyOf(withoutBlockers);
    withoutBlockers.clear();
    taken.forEach(headUntried::remove);
    return taken;
  }

  /** Takes all groups out that may fit, by what there is now. */
  List<EquivalenceGroup> takeUnblocked() {
    var taken = new ArrayList<>(takeWithoutBlockers());
    for (EquivalenceGroup next = firstUnblocked(); next != null; next = firstUnblocked()) {
      remove(next);
      taken.add(next);
    }
    return taken;
  }

  /** Forgets all groups; they are ready from now on. */
  void clear() {
    blockedAmounts.clear();
    withoutBlockers.clear();
    excluded.clear();
    headUntried.clear();
  }
}
