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
 * All nodes with their pods, kept up to date change by change.
 *
 * <p>Each node has a slot, which it keeps as long as it exists, and each slot a number that grows
 * with every change of it: so whoever remembers something about a node can tell whether it still
 * holds.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class ClusterState {

  /** A pod and the node that it takes room of. */
  private record Placed(PodFacts pod, String node) {}

  private final ResourceIndex resources = new ResourceIndex();
  private final PodSignatures shapes = new PodSignatures(resources);
  private final LinkedHashMap<String, NodeState> nodes = new LinkedHashMap<>();
  private final LinkedHashMap<ObjectKey, Placed> pods = new LinkedHashMap<>();
  private final PodsOnUnknownNodes strays = new PodsOnUnknownNodes();
  private final TreeMap<String, SortedMap<String, String>> namespaces = new TreeMap<>();
  private final NominatedPods nominations = new NominatedPods();
  private final NodeOrder order = new NodeOrder();
  private final Images images = new Images();
  private final VolumeCache volumes = new VolumeCache();
  private final SpreadDefaults spreadDefaults = new SpreadDefaults();
  private @Nullable NodeState[] slots = new NodeState[16];
  private int[] changes = new int[16];
  private long version;
  private int sociableNodes;

  public ResourceIndex resources() {
    return resources;
  }

  /** Reads a pod, which may be on a node or not. */
  public PodFacts read(Pod pod) {
    return PodFacts.of(pod, shapes.of(pod.specOnNode()));
  }

  public NodeFacts read(Node node) {
    return NodeFacts.of(node, resources);
  }

  /** Takes a node as it is now; returns false if it was so already. */
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
    strays.claim(facts.name()).forEach(pod -> add(added, pod));
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
    sociableNodes -= gone.hasSociablePods() ? 1 : 0;
    changed(gone);
    gone.pods().forEach(pod -> strays.put(pod, name));
    if (images.replace(gone.facts(), null)) {
      allChanged();
    }
  }

  /**
   * Puts a pod on a node, in place of what was known of it; returns false if that is no news for
   * others, because it was so already apart from when the pod started.
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
      strays.put(pod, node);
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
      strays.put(pod, node);
    } else {
      known.replace(pod);
    }
  }

  /** The node that a pod takes room of, if it does. */
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
      strays.remove(pod, placed.node());
    } else {
      boolean sociable = node.hasSociablePods();
      node.remove(placed.pod());
      sociableNodes -= sociable && !node.hasSociablePods() ? 1 : 0;
      changed(node);
    }
    return Optional.of(placed.node());
  }

  private void add(NodeState node, PodFacts pod) {
    sociableNodes -= node.hasSociablePods() ? 1 : 0;
    node.add(pod);
    sociableNodes += node.hasSociablePods() ? 1 : 0;
  }

  private void changed(NodeState node) {
    changes[node.slot()]++;
    version++;
  }

  private void allChanged() {
    nodes.values().forEach(this::changed);
  }

  /** Keeps room for a pod that waits, or stops to, where it has no nominated node. */
  public void nominate(PodFacts pod) {
    if (nominations.put(pod)) {
      version++;
    }
  }

  /** Keeps no room for a pod any more; returns the name of the node where it was kept. */
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

  /** How often the node of a slot has changed. */
  public int changes(int slot) {
    return changes[slot];
  }

  public int slotCount() {
    return slots.length;
  }

  /** How many pods take room of nodes. */
  public int podCount() {
    return pods.size();
  }

  public int nodeCount() {
    return nodes.size();
  }

  /** The slots of the nodes, those of different zones in turn. */
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

  /** All nodes, in the order in which they came. */
  public Collection<NodeState> nodes() {
    return Collections.unmodifiableCollection(nodes.values());
  }

  /** Whether a pod somewhere wants to be near others, or apart from them. */
  public boolean hasSociablePods() {
    return sociableNodes > 0;
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
