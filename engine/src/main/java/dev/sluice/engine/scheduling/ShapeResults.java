package dev.sluice.engine.scheduling;

import java.util.Arrays;

/**
 * What every node said to one shape of pods. An answer holds until its node changes; then that one
 * node is asked again, and no other. So a pod costs a look at each node's answer, and one filter
 * and score for the node that took the pod before.
 */
final class ShapeResults {
  private final PodShape shape;
  private final ClusterState cluster;
  private final Filters filters;
  private final NodeScores nodeScores;
  private int[] asked = {};
  private Verdict[] verdicts = {};
  private int[] scores = {};
  private int[] taints = {};
  private int[] wishes = {};

  ShapeResults(PodShape shape, ClusterState cluster, Filters filters, NodeScores nodeScores) {
    this.shape = shape;
    this.cluster = cluster;
    this.filters = filters;
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

  Verdict verdict(int slot) {
    int changes = cluster.changes(slot);
    if (asked[slot] != changes) {
      ask(slot);
      asked[slot] = changes;
    }
    return verdicts[slot];
  }

  private void ask(int slot) {
    NodeState node = cluster.node(slot);
    Verdict verdict = filters.judge(shape, node);
    verdicts[slot] = verdict;
    if (verdict.fits()) {
      scores[slot] = (int) nodeScores.of(shape, node, cluster);
      taints[slot] = Scores.unwantedTaints(shape, node);
      wishes[slot] = nodeScores.wishes(shape, node);
    }
  }

  /** The score of a node on which the pod fits. */
  int score(int slot) {
    return scores[slot];
  }

  /** How many taints of it would rather keep the pod away. */
  int taints(int slot) {
    return taints[slot];
  }

  /** The weight of the wishes that it fulfils. */
  int wishes(int slot) {
    return wishes[slot];
  }
}
