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
 * @param namespaces the label selector of the namespaces whose workloads it admits; empty selects
 *     none
 * @param sharesByUsage whether its LocalQueues are ordered by past usage
 * @param variants how variants of a workload are tried on several flavors in parallel, if they are
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

  /** A queue without variants: its workloads try one flavor after the other. */
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

  /** The number of flavors in the largest resource group. */
  public int mostFlavors() {
    return groups.stream().mapToInt(group -> group.flavors().size()).max().orElse(0);
  }

  /** Whether its workloads may preempt others. */
  public boolean preempts() {
    return preemption.withinQueue() != PreemptionPolicy.NEVER
        || preemption.withinCohort() != PreemptionPolicy.NEVER;
  }

  /** Whether it reclaims lent quota from workloads of any priority. */
  public boolean reclaimsFromAll() {
    return preemption.withinCohort() == PreemptionPolicy.ANY;
  }

  /** The flavor fungibility: when to try the next flavor, and which of two to prefer. */
  public record Fungibility(
      boolean nextRatherThanBorrow,
      boolean nextRatherThanPreempt,
      boolean preemptionOverBorrowing) {}

  /**
   * The rules for variants.
   *
   * @param flavors the flavor of each variant, the best first
   * @param targets how many of the first flavors an admitted variant may still migrate to
   * @param checked the flavors that have admission checks
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
   * The preemption policies of the queue.
   *
   * @param threshold the priority above which workloads are not preempted while the queue borrows
   */
  public record Preemption(
      PreemptionPolicy withinQueue,
      PreemptionPolicy withinCohort,
      boolean whileBorrowing,
      OptionalInt threshold) {}
}
