package dev.sluice.engine.admission.reference;

import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The plain search for victims, rule by rule as in docs/specification/preemption.md, with
 * everything computed again at every step: the victims that the engine must find. Nothing here is
 * the engine's, apart from the records that both use.
 *
 * <p>Where the earlier usage of LocalQueues counts, the order of candidates may run in a circle:
 * usage orders the workloads of one queue, and priority those of two
 * (docs/specification/preemption.md#candidates-in-order). So there must be at most one other queue
 * then.
 */
final class ReferencePreemption {
  private final ReferenceQuota quota;
  private final PreemptionRules rules;
  private final SortedMap<String, QueueSpec> queues = new TreeMap<>();
  private final List<QuotaReservation> held = new ArrayList<>();

  ReferencePreemption(ReferenceQuota quota, PreemptionRules rules, Collection<QueueSpec> specs) {
    this.quota = quota;
    this.rules = rules;
    specs.forEach(queue -> queues.put(queue.name(), queue));
  }

  /** Counts a workload that has quota. */
  void hold(QuotaReservation reservation) {
    held.add(reservation);
    quota.use(reservation.clusterQueue(), reservation.usage(), 1);
  }

  /** Forgets one that has gone. */
  void release(QuotaReservation gone) {
    if (!held.remove(gone)) {
      throw new IllegalArgumentException(gone.path() + " holds nothing");
    }
    quota.use(gone.clusterQueue(), gone.usage(), -1);
  }

  boolean fair() {
    return rules.fair();
  }

  /**
   * The workloads to evict, in order; none if that would not help.
   *
   * @param request all that the workload asks for
   * @param needed where it does not fit
   */
  List<Target> targets(PendingWorkload workload, Usage request, Set<FlavorResource> needed) {
    var search =
        new ReferenceCandidates(quota, queues, held, rules.byUsage(), workload, request, needed);
    List<Target> targets =
        rules.fair()
            ? new ReferenceFairPreemption(search, rules).targets()
            : new ReferenceClassicalPreemption(search).targets();
    search.restore();
    return targets;
  }
}
