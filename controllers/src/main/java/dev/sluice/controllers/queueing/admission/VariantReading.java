package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.queueing.VariantPolicy;
import dev.sluice.engine.queue.Sibling;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads what is particular to parents and their variants. */
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
   * What a parent was given is what its variant holds, and is counted there. A parent that lost its
   * variant counts until its job has stopped.
   */
  boolean holdFor(Workload workload) {
    return workload.isParent()
        && parents.variants(workload.object().key(Kinds.WORKLOAD)).stream()
            .flatMap(key -> cluster.get(key).stream())
            .filter(variant -> variant.isOwnedBy(workload.object()))
            .map(Workload::new)
            .anyMatch(one -> !one.finished() && one.admission().equals(workload.admission()));
  }

  /**
   * Variants are queued where there are rules for them, and their parents are not; nor is a
   * workload that is about to become one.
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

  /** Whether others may be evicted for a workload, as far as its gates are concerned. */
  boolean mayPreempt(Workload workload) {
    return !policy.isOn() || workload.mayPreempt();
  }
}
