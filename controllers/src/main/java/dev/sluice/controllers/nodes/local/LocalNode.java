package dev.sluice.controllers.nodes.local;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Lease;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.NodeStatus;
import dev.sluice.model.core.node.Taint;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of the Node object of this machine, as a kubelet has one: registers the node,
 * reports its capacity and conditions, and renews its lease. A node of the same name that it did
 * not create is not touched.
 */
public final class LocalNode implements Controller {
  /** The label of the node that stands for the machine on which the control plane runs. */
  public static final String LABEL = "sluice.dev/local-node";

  private static final Logger LOG = LoggerFactory.getLogger(LocalNode.class);
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String LEASES = "kube-node-lease";
  private static final Duration LEASE_LENGTH = Duration.ofSeconds(40);
  private static final Duration RENEWAL = Duration.ofSeconds(10);
  private static final Duration HEARTBEAT = Duration.ofMinutes(5);
  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition(
              "MemoryPressure",
              false,
              "KubeletHasSufficientMemory",
              "kubelet has sufficient memory available"),
          new Condition(
              "DiskPressure", false, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
          new Condition(
              "PIDPressure",
              false,
              "KubeletHasSufficientPID",
              "kubelet has sufficient PID available"),
          new Condition(
              Node.READY, true, "KubeletReady", "the local node starts processes of this machine"));

  private final Cluster cluster;
  private final LocalMachine machine;
  private Instant nextHeartbeat = Instant.MIN;

  public LocalNode(Cluster cluster, LocalMachine machine) {
    this.cluster = cluster;
    this.machine = machine;
  }

  /** Deletes the node that an earlier run has left, where this run has none. */
  public static void remove(Cluster cluster, String name) {
    cluster
        .get(Kinds.NODE.key(name))
        .filter(LocalNode::isOurs)
        .ifPresent(node -> cluster.delete(Kinds.NODE, node, dev.sluice.runtime.Deletion.NOW));
  }

  private static boolean isOurs(ApiObject node) {
    return !node.label(LABEL).isEmpty();
  }

  @Override
  public String name() {
    return "local-node";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(
            Kinds.NODE,
            event -> event.object().name().equals(machine.name()) ? List.of(key()) : List.of()));
  }

  private ObjectKey key() {
    return Kinds.NODE.key(machine.name());
  }

  @Override
  public Subscription listen(Consumer<ObjectKey> wake) {
    wake.accept(key());
    return () -> {};
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    ApiObject found = cluster.get(key).orElseGet(this::register);
    if (!isOurs(found)) {
      LOG.warn(
          "a node named {} exists already and is not this machine's: no pod runs as a process until"
              + " it is deleted",
          machine.name());
      return Outcome.DONE;
    }
    if (found.isDeleting()) {
      return Outcome.DONE;
    }
    Node node = heartbeat(new Node(found));
    List<Taint> taints =
        node.taints().stream().filter(taint -> !taint.key().equals(NOT_READY)).toList();
    if (!taints.equals(node.taints())) {
      // The server taints new nodes until a controller removes the taint.
      node = new Node(cluster.update(Kinds.NODE, node.withTaints(taints).object()));
    }
    renew(node);
    return Outcome.again(RENEWAL);
  }

  private ApiObject register() {
    String architecture = machine.fact("architecture");
    String system = machine.fact("operatingSystem");
    ApiObject node =
        ApiObject.of(Kinds.NODE, "", machine.name())
            .withLabel(LABEL, "true")
            .withLabel("kubernetes.io/hostname", machine.name())
            .withLabel("kubernetes.io/os", system)
            .withLabel("kubernetes.io/arch", architecture)
            .withLabel("beta.kubernetes.io/os", system)
            .withLabel("beta.kubernetes.io/arch", architecture);
    nextHeartbeat = Instant.MIN;
    return cluster.create(Kinds.NODE, node);
  }

  private Node heartbeat(Node node) {
    Instant now = cluster.time().now();
    boolean reported = node.isReady() && node.status().capacity().equals(machine.capacity());
    if (reported && now.isBefore(nextHeartbeat)) {
      return node;
    }
    NodeStatus status =
        node.status()
            .withCapacity(machine.capacity())
            .withAllocatable(machine.capacity())
            .withAddress("InternalIP", machine.address())
            .withAddress("Hostname", machine.hostname())
            .withNodeInfo(machine.facts());
    for (Condition condition : CONDITIONS) {
      status = status.withCondition(condition, now);
    }
    ApiObject written = cluster.patchStatus(Kinds.NODE, node.object(), status.tree());
    nextHeartbeat = now.plus(HEARTBEAT);
    return new Node(written);
  }

  private void renew(Node node) {
    Instant now = cluster.time().now();
    Optional<Lease> lease = cluster.get(Kinds.LEASE.key(LEASES, node.name())).map(Lease::new);
    Optional<Instant> due = lease.flatMap(Lease::renewed).map(at -> at.plus(RENEWAL));
    if (due.isPresent() && due.get().isAfter(now)) {
      return;
    }
    try {
      if (lease.isPresent()) {
        Lease held = lease.get().held(node.name(), LEASE_LENGTH, now);
        cluster.update(Kinds.LEASE, held.object());
      } else {
        Lease first =
            Lease.of(LEASES, node.name())
                .ownedBy(node.object())
                .held(node.name(), LEASE_LENGTH, now);
        cluster.create(Kinds.LEASE, first.object());
      }
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.CONFLICT)) {
        throw refused;
      }
    }
  }
}
