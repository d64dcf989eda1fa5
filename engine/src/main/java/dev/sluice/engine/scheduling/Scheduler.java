package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.ClusterFilter;
import dev.sluice.engine.scheduling.framework.ClusterScore;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.SchedulingObserver;
import dev.sluice.engine.scheduling.plugins.InterPodAffinityFilter;
import dev.sluice.engine.scheduling.plugins.InterPodAffinityScore;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import dev.sluice.engine.scheduling.plugins.NodeScores;
import dev.sluice.engine.scheduling.plugins.SelectedPods;
import dev.sluice.engine.scheduling.plugins.TopologySpreadFilter;
import dev.sluice.engine.scheduling.plugins.TopologySpreadScore;
import dev.sluice.engine.scheduling.plugins.VolumeFilter;
import dev.sluice.model.LruMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * The scheduler: it finds nodes for pods as kube-scheduler does, from a {@link ClusterState} that
 * its owner keeps up to date.
 *
 * <p>Method: the nodes are filtered in turn, from where the search for the previous pod stopped,
 * until enough are feasible; in a large cluster that is a part of them. Each feasible node gets a
 * score, and the highest one wins; among equals the first that was filtered. If no node is
 * feasible, {@link PodPreemption} looks for victims of lower priority.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class Scheduler {
  private static final int MAX_SIGNATURES = 256;

  private final ClusterState cluster;
  private final Profile profile;
  private final NodeScores nodeScores;
  private final NodeFilters filters;
  private final PodPreemption preemption;
  private final List<ClusterFilter> clusterFilters;
  private final List<ClusterScore> clusterScores;

  /** Whether the profile's default constraints may reject nodes for pods without their own. */
  private final boolean spreadsAll;

  /** Evicts the least recently used. */
  private final Map<PodSignature, FilterCache> bySignature = new LruMap<>(MAX_SIGNATURES);

  private final FailureMemory failures = new FailureMemory();
  private int[] feasible = {};
  private long[] totals = {};
  private FilterResult[] rejections = {};
  private int nextStart;

  /** A scheduler with the default profile. */
  public Scheduler(ClusterState cluster, DisruptionBudgets budgets, IntUnaryOperator random) {
    this(cluster, budgets, random, Profile.DEFAULT);
  }

  /**
   * @param budgets the PodDisruptionBudgets that victims should not violate
   * @param random a number below its argument: where the search for victims begins
   */
  public Scheduler(
      ClusterState cluster, DisruptionBudgets budgets, IntUnaryOperator random, Profile profile) {
    this.cluster = cluster;
    this.profile = profile;
    this.nodeScores = new NodeScores(profile, cluster.resources());
    this.filters = new NodeFilters(cluster.resources(), profile);
    this.preemption = new PodPreemption(cluster, budgets, random, profile.preemption());
    var selected = new SelectedPods(cluster);
    this.clusterFilters = clusterFilters(profile, selected);
    this.clusterScores = clusterScores(profile, selected);
    this.spreadsAll = !profile.spread().constraints(true).isEmpty();
  }

  private static List<ClusterFilter> clusterFilters(Profile profile, SelectedPods selected) {
    var filters = new ArrayList<ClusterFilter>();
    filters.add(new VolumeFilter(profile));
    if (profile.filters().contains(Plugin.POD_TOPOLOGY_SPREAD)) {
      filters.add(new TopologySpreadFilter(selected, profile));
    }
    if (profile.filters().contains(Plugin.INTER_POD_AFFINITY)) {
      filters.add(new InterPodAffinityFilter());
    }
    return List.copyOf(filters);
  }

  private static List<ClusterScore> clusterScores(Profile profile, SelectedPods selected) {
    var scores = new ArrayList<ClusterScore>();
    if (profile.weight(Plugin.POD_TOPOLOGY_SPREAD) > 0) {
      scores.add(new TopologySpreadScore(selected, profile));
    }
    if (profile.weight(Plugin.INTER_POD_AFFINITY) > 0) {
      scores.add(new InterPodAffinityScore(profile));
    }
    return List.copyOf(scores);
  }

  public Profile profile() {
    return profile;
  }

  public NodeFilters filters() {
    return filters;
  }

  /** Finds a node for a pod; changes nothing. */
  public Placement place(PodFacts pod) {
    return place(pod, SchedulingObserver.NONE);
  }

  /** The same; the observer is notified of each step. */
  public Placement place(PodFacts pod, SchedulingObserver observer) {
    if (cluster.nodeCount() == 0) {
      return new Placement.Unschedulable(
          "no nodes available to schedule pods", Collections.emptySortedSet(), false);
    }
    Optional<Placement.Unschedulable> hopeless = PreFilterRejection.find(pod, cluster);
    if (hopeless.isPresent()) {
      return hopeless.get();
    }
    FilterCache results = results(pod.signature());
    NodeEvaluation attempt = attempt(pod, results);
    observer.done(SchedulingObserver.Step.PRE_FILTER);
    Optional<Placement> before =
        attempt.isPlain() ? failures.recall(pod, cluster.version()) : Optional.empty();
    if (before.isPresent()) {
      return before.get();
    }
    Optional<NodeState> nominated = attempt.nominatedNode();
    if (nominated.isPresent()) {
      return new Placement.OnNode(nominated.get().name());
    }
    return seek(attempt, results, observer);
  }

  private Placement seek(NodeEvaluation attempt, FilterCache results, SchedulingObserver observer) {
    int found = findFeasible(attempt);
    observer.done(SchedulingObserver.Step.FILTER);
    if (found > 0) {
      int best = best(attempt, results, found);
      observer.done(SchedulingObserver.Step.SCORE);
      return new Placement.OnNode(cluster.node(best).name());
    }
    Placement failure = preemption.find(attempt, rejections, Diagnosis.of(cluster, rejections));
    observer.done(SchedulingObserver.Step.POST_FILTER);
    if (attempt.isPlain()) {
      failures.remember(attempt.pod(), cluster.version(), failure);
    }
    return failure;
  }

  private NodeEvaluation attempt(PodFacts pod, FilterCache results) {
    return new NodeEvaluation(pod, cluster, filters, results, clusterFilters, spreadsAll);
  }

  private FilterCache results(PodSignature signature) {
    FilterCache known = bySignature.get(signature);
    if (known == null) {
      known = new FilterCache(signature, cluster, filters, nodeScores);
      bySignature.put(signature, known);
    }
    return known;
  }

  /** Fills {@code feasible}, and {@code rejections} for the others; returns how many were found. */
  private int findFeasible(NodeEvaluation attempt) {
    int[] order = cluster.order();
    int nodes = order.length;
    int enough = enough(nodes, profile.percentOfNodes());
    if (feasible.length < nodes || rejections.length < cluster.slotCount()) {
      feasible = new int[cluster.slotCount()];
      totals = new long[cluster.slotCount()];
      rejections = new FilterResult[cluster.slotCount()];
      Arrays.fill(rejections, FilterResult.FITS);
    }
    int found = 0;
    int filtered = 0;
    int at = nextStart % nodes;
    while (filtered < nodes && found < enough) {
      int slot = order[at];
      FilterResult result = attempt.filter(slot);
      if (result.fits()) {
        feasible[found++] = slot;
      } else {
        rejections[slot] = result;
      }
      filtered++;
      at = at + 1 == nodes ? 0 : at + 1;
    }
    nextStart = at;
    return found;
  }

  /** How many feasible nodes must be found before the search ends. */
  public static int enough(int nodes, int wanted) {
    if (nodes < 100) {
      return nodes;
    }
    int percent = wanted > 0 ? wanted : Math.max(5, 50 - nodes / 125);
    return Math.max(100, (int) ((long) nodes * percent / 100));
  }

  private int best(NodeEvaluation attempt, FilterCache results, int found) {
    if (found == 1) {
      return feasible[0];
    }
    score(attempt, results, found);
    int best = 0;
    for (int n = 1; n < found; n++) {
      best = totals[n] > totals[best] ? n : best;
    }
    return feasible[best];
  }

  /** The scores of the feasible nodes of a pod; for tests. */
  Map<String, Long> scores(PodFacts pod) {
    FilterCache results = results(pod.signature());
    NodeEvaluation attempt = attempt(pod, results);
    int found = findFeasible(attempt);
    score(attempt, results, found);
    var scores = new TreeMap<String, Long>();
    for (int n = 0; n < found; n++) {
      scores.put(cluster.node(feasible[n]).name(), totals[n]);
    }
    return scores;
  }

  /** Fills {@code totals} for the first nodes of {@code feasible}. */
  private void score(NodeEvaluation attempt, FilterCache results, int found) {
    results.score(feasible, found, totals);
    for (ClusterScore score : clusterScores) {
      score.add(attempt.pod(), cluster, feasible, found, totals);
    }
  }
}
