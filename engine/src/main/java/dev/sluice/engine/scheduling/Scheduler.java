package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodShape;
import dev.sluice.engine.scheduling.framework.ClusterFilter;
import dev.sluice.engine.scheduling.framework.ClusterScore;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.Progress;
import dev.sluice.engine.scheduling.framework.Verdict;
import dev.sluice.engine.scheduling.plugins.AffinityFilter;
import dev.sluice.engine.scheduling.plugins.AffinityScore;
import dev.sluice.engine.scheduling.plugins.Filters;
import dev.sluice.engine.scheduling.plugins.NodeScores;
import dev.sluice.engine.scheduling.plugins.SelectedPods;
import dev.sluice.engine.scheduling.plugins.SpreadFilter;
import dev.sluice.engine.scheduling.plugins.SpreadScore;
import dev.sluice.engine.scheduling.plugins.VolumeFilter;
import dev.sluice.model.RecentMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Finds nodes for pods as Kubernetes' default scheduler does, from a {@link ClusterState}, which
 * its owner keeps up to date.
 *
 * <p>Method: the nodes are asked in turn, from where the pod before stopped, until enough of them
 * would take the pod; of a large cluster that is a part. Each of those gets a score, and the
 * highest one wins; of equals the first that was asked. If nobody would take the pod, {@link
 * Preemption} looks for pods of lower priority that could leave.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class Scheduler {
  private static final int MOST_SHAPES = 256;

  private final ClusterState cluster;
  private final Profile profile;
  private final NodeScores nodeScores;
  private final Filters filters;
  private final Preemption preemption;
  private final List<ClusterFilter> clusterFilters;
  private final List<ClusterScore> clusterScores;

  /** Whether pods that do not ask for it may be refused for how they are spread. */
  private final boolean spreadsAll;

  /** Those not used for longest are forgotten. */
  private final Map<PodShape, ShapeResults> shapes = new RecentMap<>(MOST_SHAPES);

  private final FailureMemory failures = new FailureMemory();
  private int[] feasible = {};
  private long[] totals = {};
  private Verdict[] verdicts = {};
  private int nextStart;

  /** A scheduler with the default profile. */
  public Scheduler(ClusterState cluster, DisruptionBudgets budgets, IntUnaryOperator random) {
    this(cluster, budgets, random, Profile.DEFAULT);
  }

  /**
   * @param budgets which pods should rather not be disturbed
   * @param random a number below its argument; where the search for victims begins
   */
  public Scheduler(
      ClusterState cluster, DisruptionBudgets budgets, IntUnaryOperator random, Profile profile) {
    this.cluster = cluster;
    this.profile = profile;
    this.nodeScores = new NodeScores(profile, cluster.resources());
    this.filters = new Filters(cluster.resources(), profile);
    this.preemption = new Preemption(cluster, budgets, random, profile.preemption());
    var selected = new SelectedPods(cluster);
    this.clusterFilters = clusterFilters(profile, selected);
    this.clusterScores = clusterScores(profile, selected);
    this.spreadsAll = !profile.spread().constraints(true).isEmpty();
  }

  private static List<ClusterFilter> clusterFilters(Profile profile, SelectedPods selected) {
    var filters = new ArrayList<ClusterFilter>();
    filters.add(new VolumeFilter(profile));
    if (profile.filters().contains(Plugin.POD_TOPOLOGY_SPREAD)) {
      filters.add(new SpreadFilter(selected, profile));
    }
    if (profile.filters().contains(Plugin.INTER_POD_AFFINITY)) {
      filters.add(new AffinityFilter());
    }
    return List.copyOf(filters);
  }

  private static List<ClusterScore> clusterScores(Profile profile, SelectedPods selected) {
    var scores = new ArrayList<ClusterScore>();
    if (profile.weight(Plugin.POD_TOPOLOGY_SPREAD) > 0) {
      scores.add(new SpreadScore(selected, profile));
    }
    if (profile.weight(Plugin.INTER_POD_AFFINITY) > 0) {
      scores.add(new AffinityScore(profile));
    }
    return List.copyOf(scores);
  }

  public Profile profile() {
    return profile;
  }

  public Filters filters() {
    return filters;
  }

  /** Finds a node for a pod; changes nothing. */
  public Placement place(PodFacts pod) {
    return place(pod, Progress.NONE);
  }

  /** The same, for somebody who wants to know how it goes on. */
  public Placement place(PodFacts pod, Progress progress) {
    if (cluster.nodeCount() == 0) {
      return new Placement.Nowhere(
          "no nodes available to schedule pods", Collections.emptySortedSet(), false);
    }
    Optional<Placement.Nowhere> hopeless = Hopeless.find(pod, cluster);
    if (hopeless.isPresent()) {
      return hopeless.get();
    }
    ShapeResults results = results(pod.shape());
    Attempt attempt = attempt(pod, results);
    progress.done(Progress.Step.PRE_FILTER);
    Optional<Placement> before =
        attempt.isPlain() ? failures.recall(pod, cluster.version()) : Optional.empty();
    if (before.isPresent()) {
      return before.get();
    }
    Optional<NodeState> nominated = attempt.nominatedNode();
    if (nominated.isPresent()) {
      return new Placement.On(nominated.get().name());
    }
    return seek(attempt, results, progress);
  }

  private Placement seek(Attempt attempt, ShapeResults results, Progress progress) {
    int found = findFeasible(attempt);
    progress.done(Progress.Step.FILTER);
    if (found > 0) {
      int best = best(attempt, results, found);
      progress.done(Progress.Step.SCORE);
      return new Placement.On(cluster.node(best).name());
    }
    Placement failure = preemption.find(attempt, verdicts, Diagnosis.of(cluster, verdicts));
    progress.done(Progress.Step.POST_FILTER);
    if (attempt.isPlain()) {
      failures.remember(attempt.pod(), cluster.version(), failure);
    }
    return failure;
  }

  private Attempt attempt(PodFacts pod, ShapeResults results) {
    return new Attempt(pod, cluster, filters, results, clusterFilters, spreadsAll);
  }

  private ShapeResults results(PodShape shape) {
    ShapeResults known = shapes.get(shape);
    if (known == null) {
      known = new ShapeResults(shape, cluster, filters, nodeScores);
      shapes.put(shape, known);
    }
    return known;
  }

  /** Fills {@code feasible}, and {@code verdicts} for the others; returns how many were found. */
  private int findFeasible(Attempt attempt) {
    int[] order = cluster.order();
    int nodes = order.length;
    int enough = enough(nodes, profile.percentOfNodes());
    if (feasible.length < nodes || verdicts.length < cluster.slotCount()) {
      feasible = new int[cluster.slotCount()];
      totals = new long[cluster.slotCount()];
      verdicts = new Verdict[cluster.slotCount()];
      Arrays.fill(verdicts, Verdict.FITS);
    }
    int found = 0;
    int asked = 0;
    int at = nextStart % nodes;
    while (asked < nodes && found < enough) {
      int slot = order[at];
      Verdict verdict = attempt.judge(slot);
      if (verdict.fits()) {
        feasible[found++] = slot;
      } else {
        verdicts[slot] = verdict;
      }
      asked++;
      at = at + 1 == nodes ? 0 : at + 1;
    }
    nextStart = at;
    return found;
  }

  /** How many nodes must be found before the search ends. */
  public static int enough(int nodes, int wanted) {
    if (nodes < 100) {
      return nodes;
    }
    int percent = wanted > 0 ? wanted : Math.max(5, 50 - nodes / 125);
    return Math.max(100, (int) ((long) nodes * percent / 100));
  }

  private int best(Attempt attempt, ShapeResults results, int found) {
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

  /** What the nodes that would take a pod score; for tests. */
  Map<String, Long> scores(PodFacts pod) {
    ShapeResults results = results(pod.shape());
    Attempt attempt = attempt(pod, results);
    int found = findFeasible(attempt);
    score(attempt, results, found);
    var scores = new TreeMap<String, Long>();
    for (int n = 0; n < found; n++) {
      scores.put(cluster.node(feasible[n]).name(), totals[n]);
    }
    return scores;
  }

  /** Fills {@code totals} for the first nodes of {@code feasible}. */
  private void score(Attempt attempt, ShapeResults results, int found) {
    results.score(feasible, found, totals);
    for (ClusterScore score : clusterScores) {
      score.add(attempt.pod(), cluster, feasible, found, totals);
    }
  }
}
