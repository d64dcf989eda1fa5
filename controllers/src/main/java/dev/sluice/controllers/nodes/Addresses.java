package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.runtime.Cluster;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which addresses simulated nodes and pods have. A pod's is from the CIDR of its node, if that has
 * one. Objects remember their addresses; this only knows which of them are taken, and is told so by
 * the watch.
 *
 * <p>Threads: safe.
 */
final class Addresses {
  /** What is used in place of a range that cannot be read. */
  private static final String USUAL_CIDR = SimulationSettings.DEFAULT.podCidr();

  /** Far enough from the pods' that these can go on behind their end. */
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

  /** The address of a node: the one it has, or a new one, which stays the same until it goes. */
  String ofNode(String name) {
    String known =
        cluster
            .get(Kinds.NODE.key(name))
            .map(node -> new Node(node).status().internalAddress())
            .orElse("");
    return known.isEmpty() ? promised(name) : known;
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
    String known =
        cluster
            .get(Kinds.POD.key(namespace, name))
            .map(pod -> pod.status().text("podIP"))
            .orElse("");
    if (!known.isEmpty()) {
      return known;
    }
    return usesHostNetwork ? ofNode(node) : podRange(node).take();
  }

  /** An address for a pod that nobody names. */
  String next() {
    return range(podCidr).take();
  }

  private AddressRange podRange(String node) {
    return range(
        cluster
            .get(Kinds.NODE.key(node))
            .map(found -> found.spec().text("podCIDR"))
            .filter(cidr -> !cidr.isEmpty())
            .orElse(podCidr));
  }

  /** A CIDR that we cannot read, such as one of IPv6, is replaced by our own. */
  private AddressRange range(String cidr) {
    lock.lock();
    try {
      return ranges.computeIfAbsent(
          cidr, text -> AddressRange.parse(text).orElseGet(() -> range(USUAL_CIDR)));
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
    String address = ownAddress(pod);
    if (!address.isEmpty()) {
      podRange(pod.nodeName()).use(address);
    }
  }

  void lostPod(Pod pod) {
    String address = ownAddress(pod);
    if (!address.isEmpty()) {
      podRange(pod.nodeName()).release(address);
    }
  }

  private static String ownAddress(Pod pod) {
    return pod.spec().usesHostNetwork() ? "" : pod.status().tree().text("podIP");
  }
}
