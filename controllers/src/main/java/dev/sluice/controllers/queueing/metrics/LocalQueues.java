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

/** The LocalQueues that are measured, sorted out in one look at each ClusterQueue. */
final class LocalQueues {
  private static final QueueLength NOBODY = QueueLength.EMPTY;

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
    measured.stream().map(LocalQueue::clusterQueue).distinct().forEach(this::sort);
  }

  private void sort(String clusterQueue) {
    lengths.putAll(queues.lengths().byLocalQueue(clusterQueue));
    for (QuotaReservation one : queues.ledger().reservations(clusterQueue)) {
      held.computeIfAbsent(one.localQueuePath(), _ -> new ArrayList<>()).add(one);
    }
  }

  List<LocalQueue> measured() {
    return measured;
  }

  boolean admits(LocalQueue queue) {
    return queues.ledger().admits(queue.clusterQueue());
  }

  QueueLength length(LocalQueue queue) {
    return lengths.getOrDefault(queue.object().path(), NOBODY);
  }

  List<QuotaReservation> held(LocalQueue queue) {
    return held.getOrDefault(queue.object().path(), List.of());
  }
}
