package dev.sluice.engine.admission;

import dev.sluice.engine.quota.FlavorResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The groups of a line that were put aside, by what keeps them from going.
 *
 * <p>Goal: when quota comes back, find those whom it may help without looking at the others.
 * Method: who certainly cannot go before more of something is free is kept by that amount; the
 * smallest amounts are asked first.
 */
final class ParkedGroups {
  private final Map<FlavorResource, TreeMap<Long, TreeMap<Long, Set<WaitingGroup>>>> watched =
      new LinkedHashMap<>();
  private final Set<WaitingGroup> unproven = new LinkedHashSet<>();
  private final Set<WaitingGroup> apart = new LinkedHashSet<>();

  /**
   * An amount that a group needs. One of a group's blockers must fall before it can go.
   *
   * @param amount more than there is for it, free or to be taken back
   */
  record Blocker(FlavorResource of, long amount) {}

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
    for (Blocker blocker : blockers) {
      watched
          .computeIfAbsent(blocker.of(), _ -> new TreeMap<>())
          .computeIfAbsent(group.key.shape().priority(), _ -> new TreeMap<>())
          .computeIfAbsent(blocker.amount(), _ -> new LinkedHashSet<>())
          .add(group);
    }
  }

  void remove(WaitingGroup group) {
    unproven.remove(group);
    apart.remove(group);
    long priority = group.key.shape().priority();
    for (Blocker blocker : group.blockers) {
      var byPriority = watched.getOrDefault(blocker.of(), new TreeMap<>());
      var byAmount = byPriority.getOrDefault(priority, new TreeMap<>());
      Set<WaitingGroup> groups = byAmount.getOrDefault(blocker.amount(), new LinkedHashSet<>());
      groups.remove(group);
      if (groups.isEmpty()) {
        byAmount.remove(blocker.amount());
      }
      if (byAmount.isEmpty()) {
        byPriority.remove(priority);
      }
      if (byPriority.isEmpty()) {
        watched.remove(blocker.of());
      }
    }
    group.blockers = List.of();
  }

  /** Takes those out who may be able to go. */
  List<WaitingGroup> takeHelped(Headroom room) {
    var helped = new ArrayList<>(unproven);
    watched.forEach((of, byPriority) -> {
      Headroom.Room now = room.of(of);
      byPriority.forEach((priority, byAmount) -> {
        if (byAmount.firstKey() <= now.most(priority)) {
          byAmount.headMap(now.most(priority), true).values().forEach(helped::addAll);
        }
      });
    });
    helped.forEach(this::remove);
    return helped;
  }

  /** Forgets all; they are somewhere else from now on. */
  void clear() {
    watched.clear();
    unproven.clear();
    apart.clear();
  }
}
