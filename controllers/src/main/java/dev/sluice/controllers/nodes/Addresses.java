package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * The addresses of simulated nodes and pods. A pod has one from each CIDR of its node, if the node
 * has any. Objects keep their addresses; this only tracks which of them are in use, from the watch.
 *
 * <p>Threads: safe.
 */
final class Addresses {
  /** The range in place of one that cannot be parsed. */
  private static final String USUAL_CIDR = SimulationSettings.DEFAULT.podCidr();

  /** Far enough from the pods' range that pods can have addresses behind its end. */
  private static final String NODE_CIDR = "10.128.0.0/16";

  private final Cluster cluster;
  private final String podCidr;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<String, AddressRange> ranges = new TreeMap<>();
  private final TreeMap<String, String> nodes = new TreeMap<>();

  Addresses(Cluster cluster, String podCidr) {
    this.cluster = cluster;
    this.podCidr = podCidr;
  }

  /** The address of a node: the one it has, or a new one, which it keeps until it is deleted. */
  String ofNode(String name) {
    return allOfNode(name).getFirst();
  }

  /** All addresses of a node, at least one. */
  List<String> allOfNode(String name) {
    List<String> known =
        cluster
            .get(Kinds.NODE.key(name))
            .map(node -> new Node(node).status().addresses())
            .orElse(List.of());
    return known.isEmpty() ? List.of(promised(name)) : known;
  }

  private String promised(String node) {
    AddressRange range = range(NODE_CIDR);
    lock.lock();
    try {
      return nodes.computeIfAbsent(node, _ -> range.take());
    } finally {
      lock.unlock();
    }
  }

  /** The address of a pod: the one it has, that of its node, or a new one. */
  String ofPod(String node, boolean usesHostNetwork, String namespace, String name) {
    List<String> known = known(namespace, name);
    if (!known.isEmpty()) {
      return known.getFirst();
    }
    return usesHostNetwork ? ofNode(node) : range(podCidrs(node).getFirst()).take();
  }

  /** All addresses of a pod: those it has, those of its node, or one from each of its ranges. */
  List<String> allOfPod(String node, boolean usesHostNetwork, String namespace, String name) {
    List<String> known = known(namespace, name);
    if (!known.isEmpty()) {
      return known;
    }
    return usesHostNetwork
        ? allOfNode(node)
        : podCidrs(node).stream().map(cidr -> range(cidr).take()).toList();
  }

  private List<String> known(String namespace, String name) {
    return cluster
        .get(Kinds.POD.key(namespace, name))
        .map(pod -> new Pod(pod).status().addresses())
        .orElse(List.of());
  }

  /** A new address, for a template that names no pod. */
  String next() {
    return range(podCidr).take();
  }

  private List<String> podCidrs(String node) {
    return cluster
        .get(Kinds.NODE.key(node))
        .map(found -> new Node(found).podCidrs())
        .filter(cidrs -> !cidrs.isEmpty())
        .orElse(List.of(podCidr));
  }

  /** A CIDR that cannot be parsed is replaced by the default one. */
  private AddressRange range(String cidr) {
    lock.lock();
    try {
      AddressRange known = ranges.get(cidr);
      if (known == null) {
        known = AddressRange.parse(cidr).orElseGet(() -> range(USUAL_CIDR));
        ranges.put(cidr, known);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  void sawNode(ApiObject node) {
    String address = new Node(node).status().internalAddress();
    if (!address.isEmpty()) {
      range(NODE_CIDR).use(address);
    }
  }

  void lostNode(ApiObject node) {
    String address = new Node(node).status().internalAddress();
    lock.lock();
    try {
      nodes.remove(node.name());
    } finally {
      lock.unlock();
    }
    if (!address.isEmpty()) {
      range(NODE_CIDR).release(address);
    }
  }

  void sawPod(Pod pod) {
    withRanges(pod, AddressRange::use);
  }

  void lostPod(Pod pod) {
    withRanges(pod, AddressRange::release);
  }

  /**
   * Each address is from the range at the same index; a node address is not one of the pod's own.
   */
  private void withRanges(Pod pod, BiConsumer<AddressRange, String> action) {
    List<String> own = pod.spec().usesHostNetwork() ? List.<String>of() : pod.status().addresses();
    List<String> cidrs = own.isEmpty() ? List.<String>of() : podCidrs(pod.nodeName());
    for (int i = 0; i < Math.min(own.size(), cidrs.size()); i++) {
      action.accept(range(cidrs.get(i)), own.get(i));
    }
  }
}
