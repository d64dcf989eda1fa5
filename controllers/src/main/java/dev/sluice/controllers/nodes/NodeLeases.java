package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Lease;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Renews the leases of simulated nodes. A real cluster takes a node without one for lost; nobody
 * else looks at them, so this is not run elsewhere.
 */
public final class NodeLeases implements Controller {
  private static final String NAMESPACE = "kube-node-lease";
  private static final Duration LENGTH = Duration.ofSeconds(40);
  private static final Duration RENEWAL = Duration.ofSeconds(10);

  /** Up to 4 % of the time between two renewals. */
  private static final int JITTER_PART = 25;

  private final Cluster cluster;

  public NodeLeases(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "node-leases";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(Trigger.on(Kinds.NODE));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> node =
        cluster.get(key).filter(SimulatedNode::is).filter(found -> !found.isDeleting());
    if (node.isEmpty()) {
      return Outcome.DONE;
    }
    Instant now = cluster.time().now();
    Optional<Lease> lease = cluster.get(Kinds.LEASE.key(NAMESPACE, key.name())).map(Lease::new);
    Duration left = lease.flatMap(Lease::renewed).map(at -> left(at, now)).orElse(Duration.ZERO);
    if (left.isPositive()) {
      return Outcome.again(left);
    }
    if (lease.isPresent()) {
      cluster.update(Kinds.LEASE, lease.get().held(key.name(), LENGTH, now).object());
    } else {
      Lease first =
          Lease.of(NAMESPACE, key.name()).ownedBy(node.get()).held(key.name(), LENGTH, now);
      cluster.create(Kinds.LEASE, first.object());
    }
    return Outcome.again(RENEWAL.plus(jitter()));
  }

  /** Keeps the nodes from renewing all at once. */
  private Duration jitter() {
    return Duration.ofMillis(cluster.random().nextLong(RENEWAL.toMillis() / JITTER_PART));
  }

  private static Duration left(Instant renewed, Instant now) {
    return Duration.between(now, renewed.plus(RENEWAL));
  }
}
