package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.queueing.VariantPolicy;
import dev.sluice.engine.queue.Sibling;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.Optional;
import java.util.OptionalInt;

/** The part of {@link WorkloadReader} that concerns parents and their variants. */
final class VariantReading {
  private final Cluster cluster;
  private final VariantParents parents;
  private final VariantPolicy policy;

  VariantReading(Cluster cluster, VariantParents parents, VariantPolicy policy) {
    this.cluster = cluster;
    this.parents = parents;
    this.policy = policy;
  }

  /**
   * Whether a variant holds the quota of a parent, and the parent must not count twice. A parent
   * that lost its variant counts until its job has stopped.
   */
  boolean isHeldByVariant(Workload workload) {
    return workload.isParent()
        && parents.variants(workload.object().key(Kinds.WORKLOAD)).stream()
            .flatMap(key -> cluster.get(key).stream())
            .filter(variant -> variant.isOwnedBy(workload.object()))
            .map(Workload::new)
            .anyMatch(
                variant -> !variant.finished() && variant.admission().equals(workload.admission()));
  }

  /**
   * Whether a workload is queued itself. Variants are queued in ClusterQueues with rules for them;
   * their parents are not, nor is a workload that will become a parent.
   */
  boolean isQueuedItself(Workload workload, String queue) {
    if (workload.parent().isPresent()) {
      return sibling(workload, queue).isPresent();
    }
    return !workload.isParent()
        && !(VariantPolicy.suits(workload) && policy.rules(queue).isPresent());
  }

  Optional<Sibling> sibling(Workload workload, String queue) {
    return workload
        .parent()
        .flatMap(parent ->
            policy
                .rules(queue)
                .map(rules -> rules.rank(workload.allowedFlavor()))
                .filter(OptionalInt::isPresent)
                .map(rank -> new Sibling(parent.uid(), workload.allowedFlavor(), rank.getAsInt())));
  }

  /** Whether the preemption gates of a workload are open. */
  boolean mayPreempt(Workload workload) {
    return !policy.isOn() || workload.mayPreempt();
  }
}
