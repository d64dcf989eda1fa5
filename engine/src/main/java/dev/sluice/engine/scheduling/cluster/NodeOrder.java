package dev.sluice.engine.scheduling.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The order in which nodes are filtered: one of each zone in turn, so that pods spread over zones
 * although only some nodes are filtered. Zones and their nodes keep the order in which they were
 * added.
 */
final class NodeOrder {
  private final LinkedHashMap<String, LinkedHashSet<Integer>> zones = new LinkedHashMap<>();
  private int[] slots = {};
  private boolean stale;

  void add(NodeState node) {
    zones.computeIfAbsent(node.facts().zone(), _ -> new LinkedHashSet<>()).add(node.slot());
    stale = true;
  }

  void remove(NodeState node) {
    String zone = node.facts().zone();
    LinkedHashSet<Integer> members = zones.get(zone);
    if (members != null && members.remove(node.slot())) {
      if (members.isEmpty()) {
        zones.remove(zone);
      }
      stale = true;
    }
  }

  int[] slots() {
    if (stale) {
      slots = inTurn();
      stale = false;
    }
    return slots;
  }

  private int[] inTurn() {
    List<List<Integer>> lists = new ArrayList<>();
    zones.values().forEach(zone -> lists.add(new ArrayList<>(zone)));
    int largest = lists.stream().mapToInt(List::size).max().orElse(0);
    int[] alternating = new int[lists.stream().mapToInt(List::size).sum()];
    int next = 0;
    for (int round = 0; round < largest; round++) {
      for (List<Integer> zone : lists) {
        if (round < zone.size()) {
          alternating[next++] = zone.get(round);
        }
      }
    }
    return alternating;
  }
}
