package dev.sluice.controllers.scheduling;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.engine.placement.NodeLoad;
import dev.sluice.engine.placement.NodeRoom;
import dev.sluice.model.Amounts;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.runtime.Cluster;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All nodes with what their pods took of them, kept up to date change by change.
 *
 * <p>Threads: {@link #changed} is safe; the rest belongs to the scheduler.
 */
final class ClusterRoom {

  /** A pod that takes room. */
  private record Taken(String node, Amounts amounts) {}

  private final Cluster cluster;
  private final ChangedKeys changed = new ChangedKeys();
  private final TreeMap<String, NodeRoom> rooms = new TreeMap<>();
  private final TreeMap<ObjectKey, Taken> pods = new TreeMap<>();

  /** Also of nodes that are not known, or not known yet. */
  private final TreeMap<String, NodeLoad> loads = new TreeMap<>();

  ClusterRoom(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Takes note that a pod or a node is not what it was. */
  void changed(ObjectKey key) {
    changed.add(key);
  }

  /** Looks at everything that changed. */
  void catchUp() {
    for (ObjectKey key : changed.takeAll()) {
      if (key.kind().equals(Kinds.NODE)) {
        lookAtNode(key);
      } else {
        lookAtPod(key);
      }
    }
  }

  private void lookAtNode(ObjectKey key) {
    Optional<Node> node = cluster.get(key).map(Node::new);
    if (node.isPresent()) {
      rooms.put(key.name(), NodeRoom.of(node.get(), load(key.name())));
    } else {
      rooms.remove(key.name());
    }
  }

  private void lookAtPod(ObjectKey key) {
    Optional<Taken> now =
        cluster
            .get(key)
            .map(Pod::new)
            .filter(pod -> pod.isBound() && !pod.isTerminal())
            .map(pod -> new Taken(pod.nodeName(), pod.spec().requests()));
    Optional<Taken> before = Optional.ofNullable(pods.get(key));
    if (now.equals(before)) {
      return;
    }
    before.ifPresent(taken -> free(key, taken));
    now.ifPresent(taken -> {
      pods.put(key, taken);
      store(taken.node(), load(taken.node()).plus(taken.amounts()));
    });
  }

  private void free(ObjectKey key, Taken taken) {
    pods.remove(key);
    NodeLoad load = load(taken.node());
    store(taken.node(), load.isSaturated() ? summed(taken.node()) : load.minus(taken.amounts()));
  }

  /** From a sum that reached its limit nothing can be taken back, so it is made anew. */
  private NodeLoad summed(String node) {
    NodeLoad sum = NodeLoad.NONE;
    for (Taken taken : pods.values()) {
      sum = taken.node().equals(node) ? sum.plus(taken.amounts()) : sum;
    }
    return sum;
  }

  private NodeLoad load(String node) {
    return loads.getOrDefault(node, NodeLoad.NONE);
  }

  private void store(String node, NodeLoad load) {
    if (load.pods() == 0) {
      loads.remove(node);
    } else {
      loads.put(node, load);
    }
    rooms.computeIfPresent(node, (name, room) -> room.with(load));
  }

  /** The nodes by name. */
  Collection<NodeRoom> nodes() {
    return Collections.unmodifiableCollection(rooms.values());
  }

  Optional<NodeRoom> node(String name) {
    return Optional.ofNullable(rooms.get(name));
  }
}
