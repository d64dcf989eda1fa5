package dev.sluice.engine.admission.pending;

import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The queues below each root cohort. They share quota, and so are decided about together; a queue
 * without a cohort is alone. Only root cohorts in which something <em>changed</em> need a cycle.
 *
 * <p>Threads: one owner.
 */
public final class RootCohorts {
  private final Map<String, List<PendingQueue>> queues = new LinkedHashMap<>();
  private final Map<String, String> byQueue = new LinkedHashMap<>();
  private final TreeSet<String> changed = new TreeSet<>();
  private final TreeSet<String> taken = new TreeSet<>();

  /** Follows a change of queues and cohorts; all root cohorts count as changed. */
  public void define(QuotaTree tree, Map<String, PendingQueue> byName) {
    queues.clear();
    byQueue.clear();
    for (QuotaNode node : tree.queues()) {
      PendingQueue queue = byName.get(node.name());
      if (queue != null) {
        byQueue.put(node.name(), node.rootName());
        queues.computeIfAbsent(node.rootName(), _ -> new ArrayList<>()).add(queue);
      }
    }
    markAllChanged();
  }

  /** The name of the root cohort of a queue. */
  public String rootOf(String queue) {
    return byQueue.getOrDefault(queue, "");
  }

  /** Something happened in a queue. */
  public void markChanged(String queue) {
    changed.add(rootOf(queue));
  }

  public void markAllChanged() {
    changed.addAll(queues.keySet());
  }

  /** Quota came back to a root cohort; its queues requeue what that may help. */
  public void requeue(String rootCohort, Consumer<PendingQueue> requeue) {
    changed.add(rootCohort);
    queues(rootCohort).forEach(requeue);
  }

  /** A workload that was not pending got quota; heads that relied on it are tried again. */
  public void quotaTaken(String queue) {
    taken.add(rootOf(queue));
  }

  /** The queues of each root cohort in which something happened. */
  public List<List<PendingQueue>> changed() {
    for (String rootCohort : taken) {
      queues(rootCohort).forEach(PendingQueue::retryHead);
    }
    changed.addAll(taken);
    taken.clear();
    return changed.stream().map(this::queues).toList();
  }

  /** The root cohorts in which every head was tried do not count as changed any more. */
  public void removeTried() {
    changed.removeIf(
        rootCohort -> queues(rootCohort).stream().noneMatch(PendingQueue::hasUntriedHead));
  }

  private List<PendingQueue> queues(String rootCohort) {
    return queues.getOrDefault(rootCohort, List.of());
  }
}
