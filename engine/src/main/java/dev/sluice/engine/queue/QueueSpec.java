package dev.sluice.engine.queue;

import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The rules of a ClusterQueue, read once.
 *
 * @param active whether it admits workloads at all
 * @param namespaces the label selector of the namespaces it serves; empty selects none
 * @param sharesByUsage whether its LocalQueues take turns by what they used before
 */
public record QueueSpec(
    String name,
    boolean active,
    boolean strict,
    List<ResourceGroup> groups,
    Fungibility fungibility,
    Preemption preemption,
    Optional<Tree> namespaces,
    boolean sharesByUsage,
    QuotaSpec quota) {
  public QueueSpec {
    groups = List.copyOf(groups);
  }

  public static QueueSpec of(ClusterQueue queue, boolean active) {
    return new QueueSpec(
        queue.name(),
        active,
        queue.strict(),
        queue.resourceGroups(),
        new Fungibility(
            queue.triesNextRatherThanBorrow(),
            queue.triesNextRatherThanPreempt(),
            queue.prefersPreemptionToBorrowing()),
        new Preemption(
            queue.withinClusterQueue(),
            queue.reclaimWithinCohort(),
            queue.preemptsWhileBorrowing(),
            queue.borrowingPriorityThreshold()),
        queue.namespaceSelector(),
        queue.sharesByUsage(),
        QuotaSpec.of(queue));
  }

  public boolean covers(String resource) {
    for (ResourceGroup group : groups) {
      if (group.coveredResources().contains(resource)) {
        return true;
      }
    }
    return false;
  }

  /** How many flavors there are of the resources that have the largest choice. */
  public int mostFlavors() {
    return groups.stream().mapToInt(group -> group.flavors().size()).max().orElse(0);
  }

  /** Whether anybody may be evicted for its workloads. */
  public boolean preempts() {
    return preemption.withinQueue() != PreemptionPolicy.NEVER
        || preemption.withinCohort() != PreemptionPolicy.NEVER;
  }

  /** Whether it takes back what it lent from whoever has it. */
  public boolean reclaimsFromAll() {
    return preemption.withinCohort() == PreemptionPolicy.ANY;
  }

  /** When to look at the next flavor, and which of two to prefer. */
  public record Fungibility(
      boolean nextRatherThanBorrow,
      boolean nextRatherThanPreempt,
      boolean preemptionOverBorrowing) {}

  /**
   * Whom the queue's workloads may evict.
   *
   * @param threshold above which priority others are safe while it borrows
   */
  public record Preemption(
      PreemptionPolicy withinQueue,
      PreemptionPolicy withinCohort,
      boolean whileBorrowing,
      OptionalInt threshold) {}
}
