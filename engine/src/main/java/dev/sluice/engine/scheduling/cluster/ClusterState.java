package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of the cluster for the scheduler: all nodes with their pods, updated change by change.
 *
 * <p>Each node has a slot, which it keeps as long as it exists, and each slot a change number that
 * grows with every change of its node: so a cache knows whether a result for a node still holds.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class ClusterState {

  /** A pod and the node that it is assigned to. */
  private record Placed(PodFacts pod, String node) {}

  private final ResourceIndex resources = new ResourceIndex();
  private final PodSignatures signatures = new PodSignatures(resources);
  private final LinkedHashMap<String, NodeState> nodes = new LinkedHashMap<>();
  private final LinkedHashMap<ObjectKey, Placed> pods = new LinkedHashMap<>();
  private final PodsOnUnknownNodes onUnknownNodes = new PodsOnUnknownNodes();
  private final TreeMap<String, SortedMap<String, String>> namespaces = new TreeMap<>();
  private final NominatedPods nominations = new NominatedPods();
  private final NodeOrder order = new NodeOrder();
  private final Images images = new Images();
  private final VolumeCache volumes = new VolumeCache();
  private final SpreadDefaults spreadDefaults = new SpreadDefaults();
  private @Nullable NodeState[] slots = new NodeState[16];
  private int[] changes = new int[16];
  private long version;
  private int nodesWithTerms;

  public ResourceIndex resources() {
    return resources;
  }

  /** Reads a pod, assigned to a node or not. */
  public PodFacts read(Pod pod) {
    return PodFacts.of(pod, signatures.of(pod.specOnNode()));
  }

  public NodeFacts read(Node node) {
    return NodeFacts.of(node, resources);
  }

  /** Adds or updates a node; returns false if nothing changed. */
  public boolean putNode(NodeFacts facts) {
    NodeState known = nodes.get(facts.name());
    if (known != null && known.facts().equals(facts)) {
      return false;
    }
    boolean imagesMatter = images.replace(known == null ? null : known.facts(), facts);
    if (known == null) {
      known = addNode(facts);
      order.add(known);
    } else if (known.facts().zone().equals(facts.zone())) {
      known.become(facts);
    } else {
      order.remove(known);
      known.become(facts);
      order.add(known);
    }
    changed(known);
    if (imagesMatter) {
      allChanged();
    }
    return true;
  }

  private NodeState addNode(NodeFacts facts) {
    int slot = freeSlot();
    var added = new NodeState(slot, facts);
    slots[slot] = added;
    nodes.put(facts.name(), added);
    onUnknownNodes.claim(facts.name()).forEach(pod -> add(added, pod));
    return added;
  }

  private int freeSlot() {
    for (int slot = nodes.size(); slot < slots.length; slot++) {
      if (slots[slot] == null) {
        return slot;
      }
    }
    for (int slot = 0; slot < nodes.size(); slot++) {
      if (slots[slot] == null) {
        return slot;
      }
    }
    int slot = slots.length;
    slots = Arrays.copyOf(slots, slot * 2);
    changes = Arrays.copyOf(changes, slot * 2);
    return slot;
  }

  public void removeNode(String name) {
    NodeState gone = nodes.remove(name);
    if (gone == null) {
      return;
    }
    order.remove(gone);
    slots[gone.slot()] = null;
    nodesWithTerms -= gone.hasPodsWithTerms() ? 1 : 0;
    changed(gone);
    gone.pods().forEach(pod -> onUnknownNodes.put(pod, name));
    if (images.replace(gone.facts(), null)) {
      allChanged();
    }
  }

  /**
   * Assigns a pod to a node, in place of what was known of it; returns false if nothing changed
   * that matters to other pods, that is, nothing but the time when it started.
   */
  public boolean place(PodFacts pod, String node) {
    Placed before = pods.get(pod.key());
    if (before != null && before.node().equals(node) && before.pod().isLike(pod)) {
      if (!before.pod().started().equals(pod.started())) {
        started(pod, node);
      }
      return false;
    }
    take(pod.key());
    pods.put(pod.key(), new Placed(pod, node));
    volumes.use(pod, 1);
    NodeState known = nodes.get(node);
    if (known == null) {
      onUnknownNodes.put(pod, node);
      version++;
    } else {
      add(known, pod);
      changed(known);
    }
    return true;
  }

  private void started(PodFacts pod, String node) {
    pods.put(pod.key(), new Placed(pod, node));
    NodeState known = nodes.get(node);
    if (known == null) {
      onUnknownNodes.put(pod, node);
    } else {
      known.replace(pod);
    }
  }

  /** The node that a pod is assigned to, if it is. */
  public Optional<String> nodeOf(ObjectKey pod) {
    return Optional.ofNullable(pods.get(pod)).map(Placed::node);
  }

  /** Takes a pod off its node, if it is on one; returns the name of that node. */
  public Optional<String> take(ObjectKey pod) {
    Placed placed = pods.remove(pod);
    if (placed == null) {
      return Optional.empty();
    }
    volumes.use(placed.pod(), -1);
    NodeState node = nodes.get(placed.node());
    if (node == null) {
      onUnknownNodes.remove(pod, placed.node());
    } else {
      boolean podsWithTerms = node.hasPodsWithTerms();
      node.remove(placed.pod());
      nodesWithTerms -= podsWithTerms && !node.hasPodsWithTerms() ? 1 : 0;
      changed(node);
    }
    return Optional.of(placed.node());
  }

  private void add(NodeState node, PodFacts pod) {
    nodesWithTerms -= node.hasPodsWithTerms() ? 1 : 0;
    node.add(pod);
    nodesWithTerms += node.hasPodsWithTerms() ? 1 : 0;
  }

  private void changed(NodeState node) {
    changes[node.slot()]++;
    version++;
  }

  private void allChanged() {
    nodes.values().forEach(this::changed);
  }

  /** Notes the nominated node of a pending pod, or that it has none. */
  public void nominate(PodFacts pod) {
    if (nominations.put(pod)) {
      version++;
    }
  }

  /** Forgets the nomination of a pod; returns the name of the node that it was nominated to. */
  public Optional<String> forgetNomination(ObjectKey pod) {
    Optional<String> node = nominations.nodeOf(pod);
    if (nominations.remove(pod)) {
      version++;
    }
    return node;
  }

  public NominatedPods nominations() {
    return nominations;
  }

  public void putNamespace(String name, SortedMap<String, String> labels) {
    if (!labels.equals(namespaces.put(name, labels))) {
      version++;
    }
  }

  public void removeNamespace(String name) {
    namespaces.remove(name);
    version++;
  }

  SortedMap<String, String> namespaceLabels(String namespace) {
    return namespaces.getOrDefault(namespace, Collections.emptySortedMap());
  }

  /** Grows with every change of anything. */
  public long version() {
    return version + volumes.version();
  }

  /** The change number of a slot. */
  public int changes(int slot) {
    return changes[slot];
  }

  public int slotCount() {
    return slots.length;
  }

  /** The number of pods that are assigned to nodes. */
  public int podCount() {
    return pods.size();
  }

  public int nodeCount() {
    return nodes.size();
  }

  /** The slots of the nodes, alternating between zones. */
  public int[] order() {
    return order.slots();
  }

  public NodeState node(int slot) {
    NodeState node = slots[slot];
    if (node == null) {
      throw new IllegalStateException("no node in slot " + slot);
    }
    return node;
  }

  public Optional<NodeState> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** All nodes, in the order in which they were added. */
  public Collection<NodeState> nodes() {
    return Collections.unmodifiableCollection(nodes.values());
  }

  /** Whether any assigned pod has inter-pod affinity or anti-affinity. */
  public boolean hasPodsWithTerms() {
    return nodesWithTerms > 0;
  }

  public VolumeCache volumes() {
    return volumes;
  }

  public SpreadDefaults spreadDefaults() {
    return spreadDefaults;
  }

  public Images images() {
    return images;
  }
}
