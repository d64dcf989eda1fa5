package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.NodeFacts;
import java.util.TreeMap;

/** Counts by topology domain, that is, by value of a node label. Zero counts are not kept. */
final class DomainCounts {
  private final TreeMap<String, TreeMap<String, Long>> byKey = new TreeMap<>();

  DomainCounts copy() {
    var copy = new DomainCounts();
    byKey.forEach((key, counts) -> copy.byKey.put(key, new TreeMap<>(counts)));
    return copy;
  }

  /** Adds to the count of a node's domain, if it is in one. */
  void add(String key, NodeFacts node, long by) {
    String value = node.label(key);
    if (value == null) {
      return;
    }
    TreeMap<String, Long> counts = byKey.computeIfAbsent(key, _ -> new TreeMap<>());
    if (counts.merge(value, by, Long::sum) == 0) {
      counts.remove(value);
      if (counts.isEmpty()) {
        byKey.remove(key);
      }
    }
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  long get(String key, NodeFacts node) {
    TreeMap<String, Long> counts = byKey.get(key);
    String value = node.label(key);
    return counts == null || value == null ? 0 : counts.getOrDefault(value, 0L);
  }

  /** The sum of the counts of all domains of a node. */
  long sum(NodeFacts node) {
    long sum = 0;
    for (String key : byKey.keySet()) {
      sum += get(key, node);
    }
    return sum;
  }
}
