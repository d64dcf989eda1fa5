package dev.sluice.engine.scheduling;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
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
  private static final int TAINT_WEIGHT = 3;
  private static final int WISH_WEIGHT = 2;

  private final ClusterState cluster;
  private final Filters filters;
  private final Preemption preemption;
  private final List<ClusterFilter> clusterFilters;
  private final List<ClusterScore> clusterScores;

  /** Those not used for longest are forgotten. */
  private final Map<PodShape, ShapeResults> shapes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PodShape, ShapeResults> eldest) {
          return size() > MOST_SHAPES;
        }
      };

  private final FailureMemory failures = new FailureMemory();
  private int[] feasible = {};
  private long[] totals = {};
  private Verdict[] verdicts = {};
  private int nextStart;

  /**
   * @param budgets which pods should rather not be disturbed
   * @param random a number below its argument; where the search for victims begins
   */
  public Scheduler(ClusterState cluster, DisruptionBudgets budgets, IntUnaryOperator random) {
    this.cluster = cluster;
    this.filters = new Filters(cluster.resources());
    this.preemption = new Preemption(cluster, budgets, random);
    var selected = new SelectedPods(cluster);
    this.clusterFilters =
        List.of(new VolumeFilter(), new SpreadFilter(selected), new AffinityFilter());
    this.clusterScores = List.of(new SpreadScore(selected), new AffinityScore());
  }

  /** Finds a node for a pod; changes nothing. */
  public Placement place(PodFacts pod) {
    if (cluster.nodeCount() == 0) {
      return new Placement.Nowhere(
          "no nodes available to schedule pods", Collections.emptySortedSet(), false);
    }
    Optional<Placement.Nowhere> hopeless = Hopeless.find(pod, cluster);
    if (hopeless.isPresent()) {
      return hopeless.get();
    }
    ShapeResults results = results(pod.shape());
    var attempt = new Attempt(pod, cluster, filters, results, clusterFilters);
    Optional<Placement> before =
        attempt.isPlain() ? failures.recall(pod, cluster.version()) : Optional.empty();
    if (before.isPresent()) {
      return before.get();
    }
    Optional<NodeState> nominated = attempt.nominatedNode();
    if (nominated.isPresent()) {
      return new Placement.On(nominated.get().name());
    }
    int found = findFeasible(attempt);
    if (found > 0) {
      return new Placement.On(cluster.node(best(attempt, results, found)).name());
    }
    Placement failure = preemption.find(attempt, verdicts, Diagnosis.of(cluster, verdicts));
    if (attempt.isPlain()) {
      failures.remember(pod, cluster.version(), failure);
    }
    return failure;
  }

  private ShapeResults results(PodShape shape) {
    ShapeResults known = shapes.get(shape);
    if (known == null) {
      known = new ShapeResults(shape, cluster, filters);
      shapes.put(shape, known);
    }
    return known;
  }

  /** Fills {@code feasible}, and {@code verdicts} for the others; returns how many were found. */
  private int findFeasible(Attempt attempt) {
    int[] order = cluster.order();
    int nodes = order.length;
    int enough = enough(nodes);
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
  static int enough(int nodes) {
    if (nodes < 100) {
      return nodes;
    }
    int percent = Math.max(5, 50 - nodes / 125);
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
    var attempt = new Attempt(pod, cluster, filters, results, clusterFilters);
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
    int mostTaints = 0;
    int mostWishes = 0;
    for (int n = 0; n < found; n++) {
      mostTaints = Math.max(mostTaints, results.taints(feasible[n]));
      mostWishes = Math.max(mostWishes, results.wishes(feasible[n]));
    }
    for (int n = 0; n < found; n++) {
      int slot = feasible[n];
      long liked = mostWishes == 0 ? 0 : Scores.MOST * results.wishes(slot) / mostWishes;
      long shunned = mostTaints == 0 ? 0 : Scores.MOST * results.taints(slot) / mostTaints;
      totals[n] =
          results.score(slot) + WISH_WEIGHT * liked + TAINT_WEIGHT * (Scores.MOST - shunned);
    }
    for (ClusterScore score : clusterScores) {
      score.add(attempt.pod(), cluster, feasible, found, totals);
    }
  }
}
