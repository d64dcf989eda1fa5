package dev.sluice.controllers;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Event;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which pods are on which node.
 *
 * <p>Threads: {@link #changed} is safe; the rest belongs to the controller.
 */
public final class PodsByNode {
  private final Cluster cluster;
  private final ChangedKeys changed = new ChangedKeys();
  private final TreeMap<String, TreeSet<ObjectKey>> podsByNode = new TreeMap<>();
  private final TreeMap<ObjectKey, String> nodeByPod = new TreeMap<>();

  public PodsByNode(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Takes note of what happened to a pod. */
  public void changed(Event event) {
    Pod pod = new Pod(event.object());
    boolean stays =
        event.type() == Event.Type.MODIFIED
            && event.before().map(Pod::new).map(Pod::nodeName).equals(Optional.of(pod.nodeName()));
    if (!stays) {
      changed.add(pod.key());
    }
  }

  /** The pods on a node, by namespace and name. */
  public List<Pod> on(String node) {
    changed.takeAll().forEach(this::place);
    return podsByNode.getOrDefault(node, new TreeSet<>()).stream()
        .flatMap(key -> cluster.get(key).stream())
        .map(Pod::new)
        .toList();
  }

  private void place(ObjectKey key) {
    String before = nodeByPod.remove(key);
    if (before != null) {
      podsByNode.computeIfPresent(
          before,
          (_, pods) -> {
            pods.remove(key);
            return pods;
          });
      if (podsByNode.getOrDefault(before, new TreeSet<>()).isEmpty()) {
        podsByNode.remove(before);
      }
    }
    cluster
        .get(key)
        .map(Pod::new)
        .filter(Pod::isBound)
        .ifPresent(pod -> {
          nodeByPod.put(key, pod.nodeName());
          podsByNode.computeIfAbsent(pod.nodeName(), _ -> new TreeSet<>()).add(key);
        });
  }

  /** The node that a pod is on, or was on. */
  public static Optional<ObjectKey> nodeOf(Event event) {
    Pod pod = new Pod(event.object());
    return pod.isBound() ? Optional.of(Kinds.NODE.key(pod.nodeName())) : Optional.empty();
  }
}
