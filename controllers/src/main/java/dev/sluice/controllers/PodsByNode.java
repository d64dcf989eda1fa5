package dev.sluice.controllers;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An index of the pods on each node.
 *
 * <p>Threads: safe. The lock is held briefly, never over a call to the cluster.
 */
public final class PodsByNode {
  private final Cluster cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Set<ObjectKey>> podsByNode = new LinkedHashMap<>();

  public PodsByNode(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Updates the index after an event about a pod. */
  public void changed(ObjectEvent event) {
    Pod pod = new Pod(event.object());
    boolean exists = event.type() != ObjectEvent.Type.DELETED;
    String before = event.before().map(was -> new Pod(was).nodeName()).orElse("");
    String now = exists ? pod.nodeName() : "";
    if (exists && before.equals(now)) {
      return;
    }
    lock.lock();
    try {
      remove(before, pod.key());
      if (!now.isEmpty()) {
        podsByNode.computeIfAbsent(now, _ -> new LinkedHashSet<>()).add(pod.key());
      }
    } finally {
      lock.unlock();
    }
  }

  private void remove(String node, ObjectKey pod) {
    podsByNode.computeIfPresent(
        node, (_, pods) -> pods.remove(pod) && pods.isEmpty() ? null : pods);
  }

  /** The pods on a node, by namespace and name. */
  public List<Pod> on(String node) {
    return keys(node).stream()
        .flatMap(key -> cluster.get(key).stream())
        .map(Pod::new)
        .filter(pod -> pod.nodeName().equals(node))
        .toList();
  }

  private List<ObjectKey> keys(String node) {
    lock.lock();
    try {
      return podsByNode.getOrDefault(node, Set.of()).stream().sorted().toList();
    } finally {
      lock.unlock();
    }
  }

  /** The key of the node that a pod is, or was, bound to. */
  public static Optional<ObjectKey> nodeOf(ObjectEvent event) {
    Pod pod = new Pod(event.object());
    return pod.isBound() ? Optional.of(Kinds.NODE.key(pod.nodeName())) : Optional.empty();
  }
}
