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
 * Which unfinished workloads name which LocalQueue, so that those whom a change concerns are found
 * without a look at all.
 *
 * <p>Threads: one owner.
 */
final class WorkloadsByQueue {
  private final Map<String, SortedSet<String>> byQueue = new LinkedHashMap<>();
  private final Map<ObjectKey, String> queueOf = new LinkedHashMap<>();

  /** Notes which queue a workload names now; none if it is finished or gone. */
  void note(ObjectKey key, Optional<Workload> unfinished) {
    String queue = unfinished.map(one -> key.namespace() + "/" + one.queueName()).orElse("");
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

  /** Those of a LocalQueue, by name. */
  List<ObjectKey> of(ObjectKey localQueue) {
    return byQueue.getOrDefault(localQueue.path(), new TreeSet<>()).stream()
        .map(name -> Kinds.WORKLOAD.key(localQueue.namespace(), name))
        .toList();
  }

  /** Those of a namespace, or of the whole cluster if none is named. */
  List<ObjectKey> in(String namespace) {
    return queueOf.keySet().stream()
        .filter(key -> namespace.isEmpty() || key.namespace().equals(namespace))
        .toList();
  }
}
