package dev.sluice.controllers.queueing.admission;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.fairness.ConsumedUsage;
import dev.sluice.engine.fairness.UsageAccounts;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.Amounts;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Quantities;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The usage accounts of LocalQueues, by which admission fair sharing orders their workloads, kept
 * up to date with the cluster's objects.
 *
 * <p>Threads: one owner.
 */
final class LocalQueueUsage {
  private final Cluster cluster;
  private final AdmissionQueues queues;
  private final UsageAccounts accounts;

  LocalQueueUsage(Cluster cluster, AdmissionQueues queues, UsageAccounts accounts) {
    this.cluster = cluster;
    this.queues = queues;
    this.accounts = accounts;
  }

  /** Lets usage decay up to this time; comparisons use the decayed values from now on. */
  void advance(Instant now) {
    accounts.advance(now);
  }

  /** How often usage is sampled. */
  Duration interval() {
    return accounts.interval();
  }

  /**
   * Updates the account of a LocalQueue that was created, changed or deleted. Its usage before a
   * restart is in its status.
   */
  void follow(ObjectKey key) {
    Optional<LocalQueue> queue = cluster.get(key).map(LocalQueue::new);
    if (queue.isEmpty()) {
      accounts.close(key.path());
      return;
    }
    var status = new QueueStatus(queue.get().object().status());
    accounts.open(
        key.path(),
        queue.get().fairWeight(),
        status
            .consumptionUpdated()
            .map(at -> new ConsumedUsage(new Quantities(status.consumedResources()), at))
            .orElseGet(() -> ConsumedUsage.none(cluster.time().now())));
    queues.localQueueUsageChanged(queue.get().clusterQueue());
  }

  /** Moves the charge of a workload with reserved quota into the usage, once it is admitted. */
  void settle(QuotaReservation reservation) {
    String path = reservation.path();
    if (reservation.admitted() && accounts.charged(path).isPresent()) {
      Amounts others = admitted(reservation.clusterQueue(), reservation.localQueuePath());
      accounts.settle(path, others, cluster.time().now());
      queues.localQueueUsageChanged(reservation.clusterQueue());
    }
  }

  /** Takes back the charge of a workload that has no quota. */
  void forgive(String workload) {
    accounts.forgive(workload);
  }

  /**
   * The usage of a LocalQueue, sampled if that is due; empty without a ClusterQueue. It is sampled
   * whatever the admission mode of the ClusterQueue, which may change.
   */
  Optional<ConsumedUsage> sample(LocalQueue queue) {
    String target = queue.clusterQueue();
    if (queues.ledger().queue(target).isEmpty()) {
      return Optional.empty();
    }
    String path = queue.object().path();
    Optional<ConsumedUsage> previous = accounts.consumed(path);
    Optional<ConsumedUsage> sampled =
        accounts.sample(path, admitted(target, path), cluster.time().now());
    if (!sampled.equals(previous)) {
      queues.localQueueUsageChanged(target);
    }
    return sampled;
  }

  /** The total usage of the admitted workloads of a LocalQueue. */
  private Amounts admitted(String clusterQueue, String localQueue) {
    Amounts sum = Amounts.NONE;
    for (QuotaReservation held : queues.ledger().reservations(clusterQueue)) {
      if (held.admitted() && held.localQueuePath().equals(localQueue)) {
        for (var entry : held.usage().entries()) {
          sum = sum.plus(Amounts.of(entry.getKey().resource(), entry.getValue()));
        }
      }
    }
    return sum;
  }
}
