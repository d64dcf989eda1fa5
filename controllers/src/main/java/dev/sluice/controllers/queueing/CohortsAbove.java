package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.runtime.Cluster;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The ancestor cohorts of a ClusterQueue, read from the objects alone, so that a watch needs no
 * lock.
 */
public final class CohortsAbove {
  private CohortsAbove() {}

  /** The names of the cohorts, the nearest first; each cohort of a cycle once. */
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
