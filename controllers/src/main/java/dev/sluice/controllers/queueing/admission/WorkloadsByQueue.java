package dev.sluice.controllers.queueing.admission;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An index of the unfinished workloads of each LocalQueue, which finds the workloads that a change
 * concerns without a search through all.
 *
 * <p>Threads: one owner.
 */
final class WorkloadsByQueue {
  private final Map<String, SortedSet<String>> byQueue = new LinkedHashMap<>();
  private final Map<ObjectKey, String> queueOf = new LinkedHashMap<>();

  /** Updates the index for a workload; it has no queue once it is finished or deleted. */
  void note(ObjectKey key, Optional<Workload> unfinished) {
    String queue =
        unfinished.map(workload -> key.namespace() + "/" + workload.queueName()).orElse("");
    String before = queueOf.getOrDefault(key, "");
    if (before.equals(queue)) {
      return;
    }
    byQueue.computeIfPresent(
        before,
        (_, names) -> {
          names.remove(key.name());
          return names.isEmpty() ? null : names;
        });
    if (queue.isEmpty()) {
      queueOf.remove(key);
    } else {
      queueOf.put(key, queue);
      byQueue.computeIfAbsent(queue, _ -> new TreeSet<>()).add(key.name());
    }
  }

  /** The workloads of a LocalQueue, by name. */
  List<ObjectKey> of(ObjectKey localQueue) {
    return byQueue.getOrDefault(localQueue.path(), new TreeSet<>()).stream()
        .map(name -> Kinds.WORKLOAD.key(localQueue.namespace(), name))
        .toList();
  }

  /** The workloads of a namespace, or of the whole cluster if the namespace is empty. */
  List<ObjectKey> in(String namespace) {
    return queueOf.keySet().stream()
        .filter(key -> namespace.isEmpty() || key.namespace().equals(namespace))
        .toList();
  }
}
