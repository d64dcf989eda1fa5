package dev.sluice.engine.flavor;

import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.model.Amounts;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests of pod sets that the quota of a ClusterQueue counts: also the number of pods, if the
 * queue covers it.
 *
 * @param ignoresUndeclared whether requests that the queue does not cover are free
 */
record CoveredRequests(QueueSpec queue, boolean ignoresUndeclared) {
  private static final String PODS = "pods";

  Amounts of(PodSetRequest podSet) {
    if (!queue.covers(PODS) && isAllOf(podSet.total())) {
      return podSet.total();
    }
    var amounts = new TreeMap<String, Long>();
    podSet
        .total()
        .forEach((resource, amount) -> {
          if (queue.covers(resource) || (amount > 0 && !ignoresUndeclared)) {
            amounts.put(resource, Math.max(0, amount));
          }
        });
    if (queue.covers(PODS)) {
      amounts.put(PODS, (long) podSet.count());
    }
    return new Amounts(amounts);
  }

  private boolean isAllOf(Amounts amounts) {
    for (Map.Entry<String, Long> entry : amounts.byResource().entrySet()) {
      if (entry.getValue() < 0 || !queue.covers(entry.getKey())) {
        return false;
      }
    }
    return true;
  }
}
