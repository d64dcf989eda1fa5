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
 * What every node said to one shape of pods. An answer holds until its node changes; then that one
 * node is asked again, and no other. So a pod costs a look at each node's answer, and one filter
 * and score for the node that took the pod before.
 */
final class FilterCache {
  private final PodSignature shape;
  private final ClusterState cluster;
  private final Filter filters;
  private final NodeScores nodeScores;
  private int[] asked = {};
  private FilterResult[] verdicts = {};
  private int[] scores = {};
  private int[] taints = {};
  private int[] wishes = {};

  /** Whether any node was liked more or less for its labels or taints. */
  private boolean choosy;

  FilterCache(
      PodSignature shape, ClusterState cluster, NodeFilters filters, NodeScores nodeScores) {
    this.shape = shape;
    this.cluster = cluster;
    this.filters = filters.of(shape);
    this.nodeScores = nodeScores;
  }

  /** Makes room for all nodes; to be called before the others once there may be more. */
  void reserve() {
    int known = asked.length;
    int slots = cluster.slotCount();
    if (known < slots) {
      asked = Arrays.copyOf(asked, slots);
      Arrays.fill(asked, known, slots, -1);
      verdicts = Arrays.copyOf(verdicts, slots);
      scores = Arrays.copyOf(scores, slots);
      taints = Arrays.copyOf(taints, slots);
      wishes = Arrays.copyOf(wishes, slots);
    }
  }

  FilterResult verdict(int slot) {
    int changes = cluster.changes(slot);
    if (asked[slot] != changes) {
      ask(slot);
      asked[slot] = changes;
    }
    return verdicts[slot];
  }

  private void ask(int slot) {
    NodeState node = cluster.node(slot);
    FilterResult verdict = filters.judge(shape, node);
    verdicts[slot] = verdict;
    if (verdict.fits()) {
      scores[slot] = (int) nodeScores.of(shape, node, cluster);
      taints[slot] = NodeLocalScores.unwantedTaints(shape, node);
      wishes[slot] = nodeScores.wishes(shape, node);
      choosy |= taints[slot] > 0 || wishes[slot] > 0;
    }
  }

  /** Scores the first of some nodes, on all of which the pod fits. */
  void score(int[] feasible, int count, long[] totals) {
    long spared = nodeScores.taintWeight() * NodeLocalScores.MOST;
    for (int n = 0; n < count; n++) {
      totals[n] = scores[feasible[n]] + spared;
    }
    if (choosy) {
      addLikes(feasible, count, totals);
    }
  }

  /** Fewer unwanted taints and more fulfilled wishes count by what the others have of them. */
  private void addLikes(int[] feasible, int count, long[] totals) {
    long mostTaints = 1;
    long mostWishes = 1;
    for (int n = 0; n < count; n++) {
      mostTaints = Math.max(mostTaints, taints[feasible[n]]);
      mostWishes = Math.max(mostWishes, wishes[feasible[n]]);
    }
    for (int n = 0; n < count; n++) {
      int slot = feasible[n];
      totals[n] +=
          nodeScores.wishWeight() * (NodeLocalScores.MOST * wishes[slot] / mostWishes)
              - nodeScores.taintWeight() * (NodeLocalScores.MOST * taints[slot] / mostTaints);
    }
  }
}
