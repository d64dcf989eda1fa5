package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.runtime.Cluster;
import java.util.LinkedHashSet;
import java.util.List;

/** The cohorts above a queue, read from the objects alone: a watch may ask without any lock. */
public final class CohortsAbove {
  private CohortsAbove() {}

  /** Their names, the nearest first; those of a circle once each. */
  public static List<String> of(String clusterQueue, Cluster cluster) {
    var names = new LinkedHashSet<String>();
    String next =
        cluster
            .get(Kinds.CLUSTER_QUEUE.key(clusterQueue))
            .map(found -> new ClusterQueue(found).cohort())
            .orElse("");
    while (!next.isEmpty() && names.add(next)) {
      next =
          cluster.get(Kinds.COHORT.key(next)).map(found -> new Cohort(found).parent()).orElse("");
    }
    return List.copyOf(names);
  }
}
