package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.Filter;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import dev.sluice.engine.scheduling.plugins.NodeLocalScores;
import dev.sluice.engine.scheduling.plugins.NodeScores;
import java.util.Arrays;

/**
 * The filter results and scores of all nodes for one pod signature. A result holds until its node
 * changes; then only that node is evaluated again. So a pod costs a read of each node's result, and
 * one evaluation of the node that took the pod before.
 */
final class FilterCache {
  private final PodSignature signature;
  private final ClusterState cluster;
  private final Filter filters;
  private final NodeScores nodeScores;
  private int[] evaluatedAt = {};
  private FilterResult[] results = {};
  private int[] scores = {};
  private int[] taints = {};
  private int[] wishes = {};

  /** Whether preferred affinity or a PreferNoSchedule taint changes the score of any node. */
  private boolean choosy;

  FilterCache(
      PodSignature signature, ClusterState cluster, NodeFilters filters, NodeScores nodeScores) {
    this.signature = signature;
    this.cluster = cluster;
    this.filters = filters.of(signature);
    this.nodeScores = nodeScores;
  }

  /** Grows the arrays to all nodes; to be called before the other methods when nodes were added. */
  void reserve() {
    int known = evaluatedAt.length;
    int slots = cluster.slotCount();
    if (known < slots) {
      evaluatedAt = Arrays.copyOf(evaluatedAt, slots);
      Arrays.fill(evaluatedAt, known, slots, -1);
      results = Arrays.copyOf(results, slots);
      scores = Arrays.copyOf(scores, slots);
      taints = Arrays.copyOf(taints, slots);
      wishes = Arrays.copyOf(wishes, slots);
    }
  }

  FilterResult verdict(int slot) {
    int changes = cluster.changes(slot);
    if (evaluatedAt[slot] != changes) {
      ask(slot);
      evaluatedAt[slot] = changes;
    }
    return results[slot];
  }

  private void ask(int slot) {
    NodeState node = cluster.node(slot);
    FilterResult result = filters.filter(signature, node);
    results[slot] = result;
    if (result.fits()) {
      scores[slot] = (int) nodeScores.of(signature, node, cluster);
      taints[slot] = NodeLocalScores.unwantedTaints(signature, node);
      wishes[slot] = nodeScores.wishes(signature, node);
      choosy |= taints[slot] > 0 || wishes[slot] > 0;
    }
  }

  /** Fills {@code totals} with the scores of the first {@code count} feasible nodes. */
  void score(int[] feasible, int count, long[] totals) {
    long spared = nodeScores.taintWeight() * NodeLocalScores.MOST;
    for (int n = 0; n < count; n++) {
      totals[n] = scores[feasible[n]] + spared;
    }
    if (choosy) {
      addLikes(feasible, count, totals);
    }
  }

  /**
   * Adds TaintToleration and preferred NodeAffinity, which are normalized over the feasible nodes.
   */
  private void addLikes(int[] feasible, int count, long[] totals) {
    long maxTaints = 1;
    long maxWishes = 1;
    for (int n = 0; n < count; n++) {
      maxTaints = Math.max(maxTaints, taints[feasible[n]]);
      maxWishes = Math.max(maxWishes, wishes[feasible[n]]);
    }
    for (int n = 0; n < count; n++) {
      int slot = feasible[n];
      totals[n] +=
          nodeScores.wishWeight() * (NodeLocalScores.MOST * wishes[slot] / maxWishes)
              - nodeScores.taintWeight() * (NodeLocalScores.MOST * taints[slot] / maxTaints);
    }
  }
}
