package dev.sluice.controllers.nodes;

import dev.sluice.model.ObjectKey;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pods whose node is unknown or not simulated, in case it becomes a simulated one.
 *
 * <p>To miss nothing, a pod is added before its node is looked up, and removed if the node is
 * simulated.
 *
 * <p>Threads: safe.
 */
final class AwaitedNodes {
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<String, TreeSet<ObjectKey>> podsByNode = new TreeMap<>();
  private final TreeMap<ObjectKey, String> nodeByPod = new TreeMap<>();

  void add(String node, ObjectKey pod) {
    lock.lock();
    try {
      nodeByPod.put(pod, node);
      podsByNode.computeIfAbsent(node, ignored -> new TreeSet<>()).add(pod);
    } finally {
      lock.unlock();
    }
  }

  void remove(ObjectKey pod) {
    lock.lock();
    try {
      String node = nodeByPod.remove(pod);
      TreeSet<ObjectKey> pods = node == null ? null : podsByNode.get(node);
      if (node != null && pods != null) {
        pods.remove(pod);
        if (pods.isEmpty()) {
          podsByNode.remove(node);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The pods that wait for a node. */
  List<ObjectKey> of(String node) {
    lock.lock();
    try {
      return List.copyOf(podsByNode.getOrDefault(node, new TreeSet<>()));
    } finally {
      lock.unlock();
    }
  }
}
