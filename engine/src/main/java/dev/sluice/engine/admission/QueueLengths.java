package dev.sluice.engine.admission;

import dev.sluice.engine.admission.pending.BackoffWorkloads;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.pending.QueueLength;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many workloads are pending in each queue; those that back off count as inadmissible. */
public final class QueueLengths {
  private final Map<String, PendingQueue> queues;
  private final BackoffWorkloads backingOff;

  QueueLengths(Map<String, PendingQueue> queues, BackoffWorkloads backingOff) {
    this.queues = queues;
    this.backingOff = backingOff;
  }

  /** The length of a ClusterQueue. */
  public QueueLength of(String clusterQueue) {
    PendingQueue queue = queues.get(clusterQueue);
    if (queue == null) {
      return QueueLength.EMPTY;
    }
    int backing = backingOff.in(clusterQueue).size();
    return queue.length().plus(new QueueLength(backing, backing));
  }

  /** The same for each LocalQueue, as {@code namespace/name}, that has pending workloads there. */
  public SortedMap<String, QueueLength> byLocalQueue(String clusterQueue) {
    PendingQueue queue = queues.get(clusterQueue);
    return queue == null
        ? new TreeMap<>()
        : backingOff.addTo(queue.index().lengthsByLocalQueue(), clusterQueue);
  }

  /** How many workloads of a LocalQueue, as {@code namespace/name}, are pending. */
  public int pending(String clusterQueue, String localQueue) {
    PendingQueue queue = queues.get(clusterQueue);
    return queue == null
        ? 0
        : queue.index().pending(localQueue) + backingOff.from(localQueue, clusterQueue);
  }
}
