package dev.sluice.controllers.nodes;

import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.NodeStatus;
import dev.sluice.model.core.Taint;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes nodes ready that exist only as objects: those annotated as KWOK's are. */
public final class SimulatedNodes implements Controller {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final Tree DEFAULT_CAPACITY = Tree.of("cpu", "1k", "memory", "1Ti", "pods", "1M");
  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition(Node.READY, true, "KubeletReady", "the simulated node is ready"),
          new Condition("MemoryPressure", false, "KubeletHasSufficientMemory", "no pressure"),
          new Condition("DiskPressure", false, "KubeletHasNoDiskPressure", "no pressure"),
          new Condition("PIDPressure", false, "KubeletHasSufficientPID", "no pressure"),
          new Condition("NetworkUnavailable", false, "RouteCreated", "no network is simulated"));

  private final Cluster cluster;

  public SimulatedNodes(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "simulated-nodes";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(Trigger.on(Kinds.NODE));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Node> found = cluster.get(key).filter(SimulatedNode::is).map(Node::new);
    if (found.isEmpty() || found.get().object().isDeleting()) {
      return Outcome.DONE;
    }
    Node node = found.get();
    if (!node.isReady()) {
      NodeStatus ready = ready(node, cluster.time().now());
      node = new Node(cluster.patchStatus(Kinds.NODE, node.object(), ready.tree()));
    }
    // The server taints new nodes until someone vouches for them.
    Node untainted =
        node.withTaints(node.taints().stream().filter(taint -> !isNotReadyTaint(taint)).toList());
    if (!untainted.taints().equals(node.taints())) {
      cluster.update(Kinds.NODE, untainted.object());
    }
    return Outcome.DONE;
  }

  private static boolean isNotReadyTaint(Taint taint) {
    return taint.key().equals(NOT_READY) && taint.effect().equals(Taint.NO_SCHEDULE);
  }

  /** The status of a node that works: what it says of its size stays. */
  static NodeStatus ready(Node node, Instant now) {
    NodeStatus status = node.status();
    Tree capacity =
        status.hasCapacity()
            ? status.capacity()
            : status.hasAllocatable() ? status.allocatable() : DEFAULT_CAPACITY;
    NodeStatus sized =
        status
            .withCapacity(capacity)
            .withAllocatable(status.hasAllocatable() ? status.allocatable() : capacity);
    String address = status.internalAddress();
    NodeStatus placed =
        sized
            .withAddress(
                "InternalIP", address.isEmpty() ? SimulatedNode.address(node.name()) : address)
            .withAddress("Hostname", node.name())
            .withNodeInfo(facts())
            .withPhase("Running");
    for (Condition condition : CONDITIONS) {
      placed = placed.withCondition(condition, now);
    }
    return placed;
  }

  private static SortedMap<String, String> facts() {
    var facts = new TreeMap<String, String>();
    facts.put("architecture", "amd64");
    facts.put("operatingSystem", "linux");
    facts.put("kubeletVersion", "sluice-simulated");
    for (String empty :
        List.of(
            "bootID",
            "containerRuntimeVersion",
            "kernelVersion",
            "kubeProxyVersion",
            "machineID",
            "osImage",
            "systemUUID")) {
      facts.put(empty, "");
    }
    return facts;
  }
}
