package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.LinkedHashMap;
import java.util.Map;

/** The namespaces that a ClusterQueue selects: each is matched once, until something changes. */
final class MatchedNamespaces {
  private final NamespaceMatcher matcher;
  private final Map<String, Boolean> known = new LinkedHashMap<>();

  MatchedNamespaces(NamespaceMatcher matcher) {
    this.matcher = matcher;
  }

  boolean matches(QueueSpec queue, PendingWorkload workload) {
    return known.computeIfAbsent(workload.namespace(), _ -> matcher.matches(queue, workload));
  }

  /** The selector of the ClusterQueue, or the labels of namespaces, have changed. */
  void forget() {
    known.clear();
  }
}
