package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The workloads that back off before they are pending again, such as after an eviction. They are
 * counted and listed with the inadmissible workloads of their queue; no cycle tries them.
 *
 * <p>Threads: one owner.
 */
public final class BackoffWorkloads {
  private static final QueueLength ONE = new QueueLength(1, 1);

  private final Map<String, PendingWorkload> all = new LinkedHashMap<>();
  private final Map<String, SortedMap<String, PendingWorkload>> byQueue = new LinkedHashMap<>();

  public void add(PendingWorkload workload) {
    remove(workload.path());
    all.put(workload.path(), workload);
    byQueue
        .computeIfAbsent(workload.clusterQueue(), _ -> new TreeMap<>())
        .put(workload.path(), workload);
  }

  public void remove(String path) {
    PendingWorkload known = all.remove(path);
    if (known != null) {
      byQueue.computeIfPresent(
          known.clusterQueue(),
          (_, workloads) -> {
            workloads.remove(path);
            return workloads.isEmpty() ? null : workloads;
          });
    }
  }

  public Collection<String> paths() {
    return Collections.unmodifiableCollection(all.keySet());
  }

  public Optional<PendingWorkload> find(String path) {
    return Optional.ofNullable(all.get(path));
  }

  public Collection<PendingWorkload> in(String queue) {
    return byQueue.getOrDefault(queue, Collections.emptySortedMap()).values();
  }

  /** How many of a queue come from a LocalQueue, as {@code namespace/name}. */
  public int from(String localQueue, String queue) {
    int count = 0;
    for (PendingWorkload workload : in(queue)) {
      count += workload.localQueuePath().equals(localQueue) ? 1 : 0;
    }
    return count;
  }

  /** Adds those of a queue to how many are pending there from each LocalQueue. */
  public SortedMap<String, QueueLength> addTo(
      SortedMap<String, QueueLength> lengths, String queue) {
    in(queue).forEach(workload -> lengths.merge(workload.localQueuePath(), ONE, QueueLength::plus));
    return lengths;
  }
}
