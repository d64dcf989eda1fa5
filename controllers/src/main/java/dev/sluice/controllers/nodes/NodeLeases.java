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
 * The controller of the leases of simulated nodes, which renews them. A real cluster marks a node
 * without a lease as unreachable; the embedded one does not expect leases of simulated nodes, so
 * this does not run there.
 */
public final class NodeLeases implements Controller {
  private static final String NAMESPACE = "kube-node-lease";

  /** Up to 4 % of the time between two renewals. */
  private static final int JITTER_PART = 25;

  private final Cluster cluster;
  private final SimulationSettings settings;
  private final Duration renewal;

  public NodeLeases(Cluster cluster) {
    this(cluster, SimulationSettings.DEFAULT);
  }

  public NodeLeases(Cluster cluster, SimulationSettings settings) {
    this.cluster = cluster;
    this.settings = settings;
    this.renewal = settings.leaseLength().dividedBy(4);
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
        cluster.get(key).filter(settings::manages).filter(found -> !found.isDeleting());
    if (node.isEmpty()) {
      return Outcome.DONE;
    }
    Instant now = cluster.time().now();
    Optional<Lease> lease = cluster.get(Kinds.LEASE.key(NAMESPACE, key.name())).map(Lease::new);
    Duration left = lease.map(held -> left(held, key.name(), now)).orElse(Duration.ZERO);
    if (left.isPositive()) {
      return Outcome.again(left);
    }
    renew(node.get(), lease.orElseGet(() -> Lease.of(NAMESPACE, key.name())), now);
    return Outcome.again(renewal.plus(jitter()));
  }

  private void renew(ApiObject node, Lease lease, Instant now) {
    Lease held = lease.held(node.name(), settings.leaseLength(), now);
    if (lease.object().resourceVersion().isEmpty()) {
      cluster.create(Kinds.LEASE, held.ownedBy(node).object());
    } else {
      cluster.update(Kinds.LEASE, held.object());
    }
  }

  /** Spreads the renewals of the nodes over time. */
  private Duration jitter() {
    return Duration.ofMillis(cluster.random().nextLong(renewal.toMillis() / JITTER_PART + 1));
  }

  /**
   * How long there is nothing to do; a lease that another simulator holds is not touched until it
   * expires.
   */
  private Duration left(Lease lease, String holder, Instant now) {
    Duration length = lease.holder().equals(holder) ? renewal : lease.duration();
    return lease
        .renewed()
        .map(renewed -> Duration.between(now, renewed.plus(length)))
        .orElse(Duration.ZERO);
  }
}
