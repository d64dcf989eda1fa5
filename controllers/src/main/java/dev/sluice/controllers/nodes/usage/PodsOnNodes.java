package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The running pods of each node. All nodes are usually read one after the other, so one listing
 * serves them for a second; an index that is always up to date would cost time for every pod.
 *
 * <p>Threads: safe.
 */
final class PodsOnNodes {
  private static final Duration LIFETIME = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private Instant foundAt = Instant.MIN;
  private SortedMap<String, List<Pod>> found = Collections.emptySortedMap();

  PodsOnNodes(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The pods of all nodes that have any, by the names of the nodes. */
  SortedMap<String, List<Pod>> at(Instant now) {
    lock.lock();
    try {
      if (now.isAfter(foundAt.plus(LIFETIME)) || now.isBefore(foundAt)) {
        found = Collections.unmodifiableSortedMap(running());
        foundAt = now;
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private SortedMap<String, List<Pod>> running() {
    var pods = new TreeMap<String, List<Pod>>();
    for (var object : cluster.list(Kinds.POD)) {
      Pod pod = new Pod(object);
      if (pod.isBound() && pod.phase() == Pod.Phase.RUNNING) {
        pods.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
      }
    }
    return pods;
  }
}
