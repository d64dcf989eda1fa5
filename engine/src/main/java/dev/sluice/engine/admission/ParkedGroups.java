package dev.sluice.engine.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a line that were put aside, by what keeps them from going.
 *
 * <p>Goal: when quota comes back, find the first in line whom it may help without looking at the
 * others. Method: who certainly cannot go before more of something is free is kept by that amount.
 */
final class ParkedGroups {
  /** By what is missing, and by priority, since the highest may take from the others. */
  private final Map<Headroom.Room, SortedMap<Long, AmountIndex>> watched = new LinkedHashMap<>();

  private final Set<WaitingGroup> unproven = new LinkedHashSet<>();
  private final Set<WaitingGroup> apart = new LinkedHashSet<>();

  /**
   * An amount that a group needs. One of a group's blockers must fall before it can go.
   *
   * @param amount more than there is for it, free or to be taken back
   */
  record Blocker(Headroom.Room room, long amount) {}

  /** Those whom no amount of quota helps, before somebody changes the rules. */
  void addApart(WaitingGroup group) {
    apart.add(group);
  }

  /**
   * @param blockers empty if nothing proves that the group cannot go
   */
  void add(WaitingGroup group, List<Blocker> blockers) {
    group.blockers = List.copyOf(blockers);
    if (blockers.isEmpty()) {
      unproven.add(group);
    }
    list(group);
  }

  void remove(WaitingGroup group) {
    unlist(group);
    forget(group);
  }

  /** Removes a group that is not in the order any more. */
  void forget(WaitingGroup group) {
    unproven.remove(group);
    apart.remove(group);
    group.blockers = List.of();
  }

  /** Takes a group out of the order, as long as its first member changes. */
  void unlist(WaitingGroup group) {
    long priority = group.key.shape().priority();
    for (Blocker blocker : group.blockers) {
      var byPriority = watched.getOrDefault(blocker.room(), new TreeMap<>());
      AmountIndex byAmount = byPriority.get(priority);
      if (byAmount != null) {
        byAmount.remove(blocker.amount(), group);
        if (byAmount.isEmpty()) {
          byPriority.remove(priority);
        }
      }
      if (byPriority.isEmpty()) {
        watched.remove(blocker.room());
      }
    }
  }

  /** Puts a group back into the order. */
  void list(WaitingGroup group) {
    for (Blocker blocker : group.blockers) {
      watched
          .computeIfAbsent(blocker.room(), _ -> new TreeMap<>(Comparator.reverseOrder()))
          .computeIfAbsent(group.key.shape().priority(), _ -> new AmountIndex())
          .add(blocker.amount(), group);
    }
  }

  /** The first in line who may be able to go, by what there is now. */
  @Nullable WaitingGroup firstHelped() {
    WaitingGroup first = null;
    for (Map.Entry<Headroom.Room, SortedMap<Long, AmountIndex>> watch : watched.entrySet()) {
      WaitingGroup found = firstHelped(watch.getKey(), watch.getValue());
      if (found != null && (first == null || found.compareTo(first) < 0)) {
        first = found;
      }
    }
    return first;
  }

  private static @Nullable WaitingGroup firstHelped(
      Headroom.Room room, SortedMap<Long, AmountIndex> byPriority) {
    for (Map.Entry<Long, AmountIndex> entry : byPriority.entrySet()) {
      WaitingGroup found = entry.getValue().first(room.most(entry.getKey()));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Takes those out of whom nobody knows whether they can go. */
  List<WaitingGroup> takeUnproven() {
    var taken = List.copyOf(unproven);
    unproven.clear();
    return taken;
  }

  /** Takes all out who may be able to go, by what there is now. */
  List<WaitingGroup> takeHelped() {
    var taken = new ArrayList<>(takeUnproven());
    for (WaitingGroup next = firstHelped(); next != null; next = firstHelped()) {
      remove(next);
      taken.add(next);
    }
    return taken;
  }

  /** Forgets all; they are somewhere else from now on. */
  void clear() {
    watched.clear();
    unproven.clear();
    apart.clear();
  }
}
