package dev.sluice.engine.queue;

import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The rules of a ClusterQueue, read once.
 *
 * @param active whether it admits workloads at all
 * @param namespaces the label selector of the namespaces it serves; empty selects none
 * @param sharesByUsage whether its LocalQueues take turns by what they used before
 * @param variants how workloads are tried on several flavors side by side, if they are
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
    QuotaSpec quota,
    Optional<Variants> variants) {
  public QueueSpec {
    groups = List.copyOf(groups);
  }

  /** One whose workloads try one flavor after the other. */
  public QueueSpec(
      String name,
      boolean active,
      boolean strict,
      List<ResourceGroup> groups,
      Fungibility fungibility,
      Preemption preemption,
      Optional<Tree> namespaces,
      boolean sharesByUsage,
      QuotaSpec quota) {
    this(
        name,
        active,
        strict,
        groups,
        fungibility,
        preemption,
        namespaces,
        sharesByUsage,
        quota,
        Optional.empty());
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
        QuotaSpec.of(queue),
        Variants.of(queue));
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
   * The rules for variants.
   *
   * @param flavors the flavor of each variant, the best first
   * @param targets how many of the first flavors one that was admitted may still move to
   * @param checked the flavors for which checks must be passed
   */
  public record Variants(List<String> flavors, int targets, SortedSet<String> checked) {
    public Variants {
      flavors = List.copyOf(flavors);
      checked = Collections.unmodifiableSortedSet(new TreeSet<>(checked));
    }

    public static Optional<Variants> of(ClusterQueue queue) {
      return queue
          .concurrentAdmission()
          .filter(_ -> queue.resourceGroups().size() == 1)
          .map(policy -> of(queue, policy));
    }

    private static Variants of(ClusterQueue queue, ClusterQueue.ConcurrentAdmission policy) {
      List<String> flavors =
          queue.resourceGroups().getFirst().flavors().stream()
              .map(ResourceGroup.FlavorQuotas::name)
              .toList();
      int last = flavors.indexOf(policy.lastAcceptable());
      int targets = policy.lastAcceptable().isEmpty() ? flavors.size() : last + 1;
      var checked = new TreeSet<String>();
      queue
          .admissionChecks()
          .values()
          .forEach(onFlavors -> checked.addAll(onFlavors.isEmpty() ? flavors : onFlavors));
      return new Variants(flavors, policy.migrates() ? targets : 0, checked);
    }

    /** The place of the variant of a flavor; empty if there is none. */
    public OptionalInt rank(String flavor) {
      int rank = flavors.indexOf(flavor);
      return rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank);
    }
  }

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
