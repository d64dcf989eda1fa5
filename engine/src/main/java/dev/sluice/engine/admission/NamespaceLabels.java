package dev.sluice.engine.admission;

import dev.sluice.engine.admission.pending.NamespaceMatcher;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.model.LabelSelector;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels of all namespaces, by which ClusterQueues select them. */
final class NamespaceLabels implements NamespaceMatcher {
  private SortedMap<String, SortedMap<String, String>> labels = new TreeMap<>();

  /** Replaces the labels; returns whether they differ. */
  boolean set(SortedMap<String, SortedMap<String, String>> changed) {
    boolean differ = !changed.equals(labels);
    labels = changed;
    return differ;
  }

  @Override
  public boolean matches(QueueSpec queue, PendingWorkload workload) {
    SortedMap<String, String> own = labels.get(workload.namespace());
    return own != null
        && queue
            .namespaces()
            .map(selector -> new LabelSelector(selector).matches(own))
            .orElse(false);
  }
}
