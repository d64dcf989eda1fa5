package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.InterPodTerms;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodTerm;
import dev.sluice.engine.scheduling.framework.ClusterScore;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;

/**
 * The score of InterPodAffinity: the preferred terms of the pod, and those of existing pods that
 * match it.
 */
public final class InterPodAffinityScore implements ClusterScore {
  private final long weight;
  private final long requiredWeight;
  private final boolean ignoresOthers;

  public InterPodAffinityScore(Profile profile) {
    this.weight = profile.weight(Plugin.INTER_POD_AFFINITY);
    this.requiredWeight = profile.affinity().requiredWeight();
    this.ignoresOthers = profile.affinity().ignoresOthers();
  }

  @Override
  public void add(PodFacts pod, ClusterState cluster, int[] feasible, int count, long[] totals) {
    boolean asks = pod.interPodTerms().hasPreferences();
    if (!asks && (ignoresOthers || !cluster.hasPodsWithTerms())) {
      return;
    }
    var byDomain = new DomainCounts();
    for (NodeState node : cluster.nodes()) {
      if (asks || node.hasPodsWithTerms()) {
        node.pods().forEach(other -> weigh(pod, other, node, cluster, byDomain));
      }
    }
    if (!byDomain.isEmpty()) {
      normalize(cluster, feasible, count, byDomain, totals);
    }
  }

  private void weigh(
      PodFacts pod, PodFacts other, NodeState node, ClusterState cluster, DomainCounts byDomain) {
    InterPodTerms mine = pod.interPodTerms();
    InterPodTerms theirs = other.interPodTerms();
    mine.preferredAffinity().forEach(term -> count(term, other, 1, node, cluster, byDomain));
    mine.preferredAntiAffinity().forEach(term -> count(term, other, -1, node, cluster, byDomain));
    // Required terms of existing pods count as preferences too; their weight is an argument of the
    // plugin.
    if (requiredWeight > 0) {
      theirs.affinity().forEach(term -> count(term, pod, requiredWeight, node, cluster, byDomain));
    }
    theirs.preferredAffinity().forEach(term -> count(term, pod, 1, node, cluster, byDomain));
    theirs.preferredAntiAffinity().forEach(term -> count(term, pod, -1, node, cluster, byDomain));
  }

  private static void count(
      PodTerm term,
      PodFacts meant,
      long factor,
      NodeState node,
      ClusterState cluster,
      DomainCounts byDomain) {
    if (term.means(meant, cluster)) {
      byDomain.add(term.topologyKey(), node.facts(), factor * term.weight());
    }
  }

  private void normalize(
      ClusterState cluster, int[] feasible, int count, DomainCounts byDomain, long[] totals) {
    long[] raw = new long[count];
    long max = Long.MIN_VALUE;
    long min = Long.MAX_VALUE;
    for (int n = 0; n < count; n++) {
      raw[n] = byDomain.sum(cluster.node(feasible[n]).facts());
      max = Math.max(max, raw[n]);
      min = Math.min(min, raw[n]);
    }
    for (int n = 0; n < count && max > min; n++) {
      totals[n] += weight * (NodeLocalScores.MOST * (raw[n] - min) / (max - min));
    }
  }
}
