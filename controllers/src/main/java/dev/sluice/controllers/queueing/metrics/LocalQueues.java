package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.pending.QueueLength;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The LocalQueues with metrics, and their workloads, collected in one pass over each ClusterQueue.
 */
final class LocalQueues {
  private static final QueueLength EMPTY = QueueLength.EMPTY;

  private final AdmissionQueues queues;
  private final List<LocalQueue> measured;
  private final SortedMap<String, QueueLength> lengths = new TreeMap<>();
  private final SortedMap<String, List<QuotaReservation>> held = new TreeMap<>();

  LocalQueues(Cluster cluster, ManagerSettings.Metrics settings, AdmissionQueues queues) {
    this.queues = queues;
    this.measured =
        cluster.list(Kinds.LOCAL_QUEUE).stream()
            .filter(queue -> WorkloadEventCounter.measures(settings, queue))
            .map(LocalQueue::new)
            .toList();
    measured.stream().map(LocalQueue::clusterQueue).distinct().forEach(this::collect);
  }

  private void collect(String clusterQueue) {
    lengths.putAll(queues.lengths().byLocalQueue(clusterQueue));
    for (QuotaReservation reservation : queues.ledger().reservations(clusterQueue)) {
      held.computeIfAbsent(reservation.localQueuePath(), _ -> new ArrayList<>()).add(reservation);
    }
  }

  List<LocalQueue> measured() {
    return measured;
  }

  boolean admits(LocalQueue queue) {
    return queues.ledger().admits(queue.clusterQueue());
  }

  QueueLength length(LocalQueue queue) {
    return lengths.getOrDefault(queue.object().path(), EMPTY);
  }

  List<QuotaReservation> held(LocalQueue queue) {
    return held.getOrDefault(queue.object().path(), List.of());
  }
}
