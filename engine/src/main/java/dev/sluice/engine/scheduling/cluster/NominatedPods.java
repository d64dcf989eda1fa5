package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The pods that are nominated to a node while their victims there terminate. */
public final class NominatedPods {
  private final LinkedHashMap<ObjectKey, PodFacts> pods = new LinkedHashMap<>();
  private final TreeMap<String, LinkedHashMap<ObjectKey, PodFacts>> byNode = new TreeMap<>();

  boolean put(PodFacts pod) {
    if (pod.equals(pods.get(pod.key()))) {
      return false;
    }
    boolean changed = remove(pod.key());
    if (pod.nominatedNode().isEmpty()) {
      return changed;
    }
    pods.put(pod.key(), pod);
    byNode.computeIfAbsent(pod.nominatedNode(), _ -> new LinkedHashMap<>()).put(pod.key(), pod);
    return true;
  }

  boolean remove(ObjectKey key) {
    PodFacts gone = pods.remove(key);
    if (gone == null) {
      return false;
    }
    LinkedHashMap<ObjectKey, PodFacts> others = byNode.get(gone.nominatedNode());
    if (others != null) {
      others.remove(key);
      if (others.isEmpty()) {
        byNode.remove(gone.nominatedNode());
      }
    }
    return true;
  }

  Optional<String> nodeOf(ObjectKey key) {
    return Optional.ofNullable(pods.get(key)).map(PodFacts::nominatedNode);
  }

  public boolean isEmpty() {
    return pods.isEmpty();
  }

  /** The pods nominated to a node that another must leave room for: of equal or higher priority. */
  public List<PodFacts> before(PodFacts pod, String node) {
    LinkedHashMap<ObjectKey, PodFacts> all = byNode.get(node);
    if (all == null) {
      return List.of();
    }
    return all.values().stream()
        .filter(other -> other.priority() >= pod.priority() && !other.key().equals(pod.key()))
        .toList();
  }

  /** The pods nominated to a node whose priority is lower than another's. */
  public List<PodFacts> after(PodFacts pod, String node) {
    LinkedHashMap<ObjectKey, PodFacts> all = byNode.get(node);
    return all == null
        ? List.of()
        : all.values().stream().filter(other -> other.priority() < pod.priority()).toList();
  }
}
