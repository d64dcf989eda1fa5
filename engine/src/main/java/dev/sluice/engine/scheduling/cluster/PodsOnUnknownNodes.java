package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/**
 * The pods that are assigned to nodes that are not known, or not known yet.
 *
 * <p>Threads: none; they belong to the cluster's state.
 */
final class PodsOnUnknownNodes {
  private final TreeMap<String, LinkedHashMap<ObjectKey, PodFacts>> byNode = new TreeMap<>();

  void put(PodFacts pod, String node) {
    byNode.computeIfAbsent(node, _ -> new LinkedHashMap<>()).put(pod.key(), pod);
  }

  void remove(ObjectKey pod, String node) {
    LinkedHashMap<ObjectKey, PodFacts> pods = byNode.get(node);
    if (pods != null) {
      pods.remove(pod);
      if (pods.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  /** Removes and returns the pods of a node that becomes known. */
  Collection<PodFacts> claim(String node) {
    LinkedHashMap<ObjectKey, PodFacts> pods = byNode.remove(node);
    return pods == null ? List.of() : pods.values();
  }
}
