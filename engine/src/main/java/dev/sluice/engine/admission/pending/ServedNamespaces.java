package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which namespaces a queue serves: found out once for each, until something changes. */
final class ServedNamespaces {
  private final NamespaceMatcher serving;
  private final Map<String, Boolean> known = new LinkedHashMap<>();

  ServedNamespaces(NamespaceMatcher serving) {
    this.serving = serving;
  }

  boolean serves(QueueSpec queue, PendingWorkload workload) {
    return known.computeIfAbsent(workload.namespace(), _ -> serving.serves(queue, workload));
  }

  /** The queue's rules, or the namespaces, have changed. */
  void forget() {
    known.clear();
  }
}
