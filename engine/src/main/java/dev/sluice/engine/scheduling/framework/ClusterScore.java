package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.PodFacts;

/** A score that depends on pods all over the cluster, or on the nodes it is compared with. */
public interface ClusterScore {

  /**
   * Adds the weighted score of each feasible node to {@code totals}.
   *
   * @param feasible the slots of the nodes, of which the first {@code count} are scored
   */
  void add(PodFacts pod, ClusterState cluster, int[] feasible, int count, long[] totals);
}
