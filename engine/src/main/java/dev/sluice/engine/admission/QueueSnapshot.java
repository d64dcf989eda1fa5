package dev.sluice.engine.admission;

import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.ResourceFlavor;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Everything an admission cycle looks at, as it stood at one moment.
 *
 * @param localQueues by {@code namespace/name}
 * @param namespaceLabels the labels of each namespace
 * @param reserved the admissions that hold quota
 * @param pending the workloads that wait, in any order
 */
public record QueueSnapshot(
    SortedMap<String, ResourceFlavor> flavors,
    SortedMap<String, ClusterQueue> clusterQueues,
    SortedMap<String, LocalQueue> localQueues,
    SortedMap<String, SortedMap<String, String>> namespaceLabels,
    List<Admission> reserved,
    List<PendingWorkload> pending) {

  public QueueSnapshot {
    reserved = List.copyOf(reserved);
    pending = List.copyOf(pending);
  }

  Optional<ResourceFlavor> flavor(String name) {
    return Optional.ofNullable(flavors.get(name));
  }

  Optional<ClusterQueue> clusterQueue(String name) {
    return Optional.ofNullable(clusterQueues.get(name));
  }

  Optional<LocalQueue> localQueue(PendingWorkload workload) {
    return Optional.ofNullable(localQueues.get(workload.namespace() + "/" + workload.localQueue()));
  }
}
