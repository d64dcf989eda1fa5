package dev.sluice.controllers.nodes.lifecycle;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.PodsByNode;
import dev.sluice.controllers.nodes.SimulatedNode;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Lease;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.NodeHealth;
import dev.sluice.model.core.node.NodeHealth.Known;
import dev.sluice.model.core.node.NodeTaints;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The node lifecycle controller: marks nodes without heartbeats as unknown, and adds the taints
 * that follow from the conditions of a node, NoExecute taints at the rate of {@link ZoneHealth}.
 *
 * <p>A heartbeat is a renewed lease or a reported status. It counts from when this controller saw
 * it, so no other clock matters, and after a restart every node has its full grace period.
 * Simulated nodes without a lease are part of this process and cannot be lost.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class NodeLifecycle implements Controller {
  private static final Duration GRACE = Duration.ofSeconds(50);
  private static final Duration STARTUP_GRACE = Duration.ofSeconds(60);
  private static final Duration NEXT_LOOK = Duration.ofSeconds(5);
  private static final String LEASES = "kube-node-lease";

  /** The last heartbeat of a node, and when it was seen. */
  private record Heard(String uid, String heartbeat, String renewal, Instant at) {}

  private final Cluster cluster;
  private final EventRecorder events;
  private final PodsByNode pods;
  private final ZoneHealth zones = new ZoneHealth();
  private final TreeMap<ObjectKey, Heard> heard = new TreeMap<>();

  /** The lost nodes whose pods are still to be marked as not ready. */
  private final TreeSet<ObjectKey> unmarked = new TreeSet<>();

  public NodeLifecycle(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "node-controller");
    this.pods = new PodsByNode(cluster);
  }

  @Override
  public String name() {
    return "node-lifecycle";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.on(Kinds.NODE),
        new Trigger(Kinds.LEASE, NodeLifecycle::leaseChanged),
        new Trigger(
            Kinds.POD,
            event -> {
              pods.changed(event);
              return List.of();
            }));
  }

  private static List<ObjectKey> leaseChanged(ObjectEvent event) {
    ApiObject lease = event.object();
    return lease.namespace().equals(LEASES) ? List.of(Kinds.NODE.key(lease.name())) : List.of();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Node> found = cluster.get(key).map(Node::new);
    if (found.isEmpty()) {
      heard.remove(key);
      unmarked.remove(key);
      return Outcome.DONE;
    }
    Node node = found.get();
    Optional<Duration> left = left(node);
    if (left.isPresent() && !left.get().isPositive()) {
      left = Optional.empty();
      node = lost(node);
    }
    if (unmarked.contains(key)) {
      if (new NodeHealth(node).known(Node.READY) != Known.YES) {
        markPodsNotReady(node);
      }
      unmarked.remove(key);
    }
    Optional<Duration> pause = taint(node);
    return left.or(() -> pause)
        .map(first -> pause.filter(other -> other.compareTo(first) < 0).orElse(first))
        .map(Outcome::again)
        .orElse(Outcome.DONE);
  }

  /** How long until a node without a further heartbeat is lost; empty if it needs none. */
  private Optional<Duration> left(Node node) {
    Optional<Lease> lease = cluster.get(Kinds.LEASE.key(LEASES, node.name())).map(Lease::new);
    if (SimulatedNode.is(node.object()) && lease.isEmpty()) {
      return Optional.empty();
    }
    var health = new NodeHealth(node);
    boolean silent = health.known(Node.READY) == Known.UNSAID;
    Instant now = cluster.time().now();
    String renewal = lease.flatMap(Lease::renewed).map(Instant::toString).orElse("");
    Optional<Heard> known =
        Optional.ofNullable(heard.get(node.key()))
            .filter(old -> old.uid().equals(node.object().uid()));
    if (known.isEmpty() && health.known(Node.READY) == Known.UNKNOWN) {
      // The controller may have been stopped before it marked the pods.
      unmarked.add(node.key());
    }
    Instant started = node.object().created().orElse(now);
    Instant at = known.isEmpty() && silent ? started : now;
    Heard last =
        known
            .filter(old -> old.heartbeat().equals(health.heartbeat()))
            .filter(old -> old.renewal().equals(renewal))
            .orElse(new Heard(node.object().uid(), health.heartbeat(), renewal, at));
    heard.put(node.key(), last);
    Duration grace = silent ? STARTUP_GRACE : GRACE;
    return Optional.of(Duration.between(now, last.at().plus(grace)));
  }

  private Node lost(Node node) {
    var health = new NodeHealth(node);
    var status = health.lost(cluster.time().now());
    if (status.equals(node.object().status())) {
      return node;
    }
    Node lost = new Node(cluster.patchStatus(Kinds.NODE, node.object(), status));
    // The pods of a node that reports itself as not ready are the kubelet's to update.
    if (health.known(Node.READY) == Known.YES) {
      unmarked.add(node.key());
      events.normal(
          node.object(),
          "NodeNotReady",
          "Node %s status is now: NodeNotReady".formatted(node.name()));
    }
    // The controller's own write is not a heartbeat.
    heard.computeIfPresent(
        node.key(),
        (_, last) ->
            new Heard(last.uid(), new NodeHealth(lost).heartbeat(), last.renewal(), last.at()));
    return lost;
  }

  /** Marks the pods of a lost node as not ready. */
  private void markPodsNotReady(Node node) {
    Instant now = cluster.time().now();
    for (Pod pod : pods.on(node.name())) {
      PodStatus status = pod.status();
      if (mayBeReady(status)) {
        var not =
            new Condition(
                PodStatus.READY,
                false,
                status.reason(PodStatus.READY),
                status.message(PodStatus.READY));
        cluster.patchStatus(Kinds.POD, pod.object(), status.withCondition(not, now).tree());
        events.warning(pod.object(), "NodeNotReady", "Node is not ready");
      }
    }
  }

  private static boolean mayBeReady(PodStatus status) {
    return Condition.find(status.tree(), PodStatus.READY)
        .filter(ready -> !ready.text("status").equals("False"))
        .isPresent();
  }

  /** Updates the taints; returns when to check again if some are still to come. */
  private Optional<Duration> taint(Node node) {
    var wanted = new ArrayList<>(ConditionTaints.repelling(node));
    var evicting = new ArrayList<>(ConditionTaints.evicting(node));
    var taints = new NodeTaints(node.object());
    Optional<Duration> pause = Optional.empty();
    Instant now = cluster.time().now();
    if (!evicting.isEmpty()) {
      List<Node> nodes = cluster.list(Kinds.NODE).stream().map(Node::new).toList();
      pause = Optional.of(NEXT_LOOK);
      // A node whose pods are being evicted stays tainted, whatever its condition is now.
      boolean givenUp = taints.evicting().stream().anyMatch(ConditionTaints::areTheirs);
      Optional<Duration> wait =
          givenUp ? Optional.of(Duration.ZERO) : zones.pause(node, nodes, now);
      boolean early = wait.isEmpty() || wait.get().isPositive();
      if (early || !ZoneHealth.anyReady(nodes)) {
        evicting.clear();
      } else if (!givenUp) {
        zones.givenUp(node, now);
      }
    }
    wanted.addAll(evicting);
    ApiObject changed =
        taints.changed(
            taint -> ConditionTaints.areTheirs(taint) && !wanted.contains(taint), wanted, now);
    if (!changed.equals(node.object())) {
      cluster.update(Kinds.NODE, changed);
    }
    return pause;
  }
}
