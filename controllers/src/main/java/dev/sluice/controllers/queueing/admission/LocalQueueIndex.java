package dev.sluice.controllers.queueing.admission;

import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which workloads are in which LocalQueue.
 *
 * <p>Threads: none; it belongs to its book.
 */
final class LocalQueueIndex {
  private final Map<String, TreeSet<String>> byLocalQueue = new LinkedHashMap<>();
  private final Map<String, String> localQueueOf = new LinkedHashMap<>();

  /** Those of a LocalQueue. */
  List<ObjectKey> of(ObjectKey localQueue) {
    return byLocalQueue.getOrDefault(localQueue.path(), new TreeSet<>()).stream()
        .map(name -> Kinds.WORKLOAD.key(localQueue.namespace(), name))
        .toList();
  }

  /** Those of a namespace; all if it is empty. */
  List<ObjectKey> in(String namespace) {
    return localQueueOf.keySet().stream()
        .map(path -> path.split("/", 2))
        .filter(path -> namespace.isEmpty() || path[0].equals(namespace))
        .map(path -> Kinds.WORKLOAD.key(path[0], path[1]))
        .toList();
  }

  /** Puts a workload into a LocalQueue of its namespace, and out of the one that it was in. */
  void put(ObjectKey workload, String localQueue) {
    String queue = workload.namespace() + "/" + localQueue;
    if (!queue.equals(localQueueOf.get(workload.path()))) {
      remove(workload);
      localQueueOf.put(workload.path(), queue);
      byLocalQueue.computeIfAbsent(queue, _ -> new TreeSet<>()).add(workload.name());
    }
  }

  void remove(ObjectKey workload) {
    String before = localQueueOf.remove(workload.path());
    if (before != null) {
      byLocalQueue.computeIfPresent(
          before,
          (_, names) -> {
            names.remove(workload.name());
            return names.isEmpty() ? null : names;
          });
    }
  }
}
