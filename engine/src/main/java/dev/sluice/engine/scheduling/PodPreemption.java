package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Profile.PreemptionRules;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Preemption of pods: the search for a node and victims of lower priority, so that a pod fits.
 *
 * <p>Method: on each node where preemption may help, all pods of lower priority are removed on
 * trial. If the pod fits then, they are added back one by one, the most important first and pods
 * that a budget protects before all others, as long as the pod still fits: the pods that no longer
 * fit are the victims. {@link PreemptionCandidate#ORDER} chooses among the nodes.
 */
final class PodPreemption {
  private static final String NO_VICTIMS = "No preemption victims found for incoming pod";
  private static final String NO_HELP = "Preemption is not helpful for scheduling";

  private static final Comparator<PodFacts> IMPORTANCE =
      Comparator.comparingLong((PodFacts pod) -> -pod.priority()).thenComparing(PodFacts::started);

  private final ClusterState cluster;
  private final DisruptionBudgets budgets;
  private final IntUnaryOperator random;
  private final PreemptionRules rules;

  PodPreemption(
      ClusterState cluster,
      DisruptionBudgets budgets,
      IntUnaryOperator random,
      PreemptionRules rules) {
    this.cluster = cluster;
    this.budgets = budgets;
    this.random = random;
    this.rules = rules;
  }

  Placement find(NodeEvaluation attempt, FilterResult[] results, Diagnosis diagnosis) {
    PodFacts pod = attempt.pod();
    if (!rules.enabled()) {
      return diagnosis.nowhere();
    }
    if (!pod.preempts()) {
      return diagnosis.notEligible("preemptionPolicy=Never.");
    }
    if (waitsForVictims(pod, results)) {
      return diagnosis.notEligible("a terminating pod on the nominated node.");
    }
    var reasons = new TreeMap<String, Integer>();
    List<PreemptionCandidate> candidates = candidates(attempt, results, reasons);
    if (candidates.isEmpty()) {
      return diagnosis.nowhere(Diagnosis.message(diagnosis.nodes(), reasons));
    }
    PreemptionCandidate best = candidates.stream().min(PreemptionCandidate.ORDER).orElseThrow();
    return new Placement.AfterPreemption(
        diagnosis.notYet(),
        best.node(),
        best.victims(),
        cluster.nominations().after(pod, best.node()).stream().map(PodFacts::key).toList());
  }

  private boolean waitsForVictims(PodFacts pod, FilterResult[] results) {
    Optional<NodeState> node = cluster.node(pod.nominatedNode());
    return node.isPresent()
        && results[node.get().slot()].resolvable()
        && node.get().pods().stream()
            .anyMatch(other -> other.priority() < pod.priority() && other.makesRoom());
  }

  private List<PreemptionCandidate> candidates(
      NodeEvaluation attempt, FilterResult[] results, SortedMap<String, Integer> reasons) {
    var helpful = new ArrayList<NodeState>();
    for (int slot : cluster.order()) {
      if (results[slot].resolvable()) {
        helpful.add(cluster.node(slot));
      } else {
        reasons.merge(NO_HELP, 1, Integer::sum);
      }
    }
    var candidates = new ArrayList<PreemptionCandidate>();
    int enough = rules.enough(helpful.size());
    int start = helpful.isEmpty() ? 0 : random.applyAsInt(helpful.size());
    boolean harmless = false;
    for (int i = 0; i < helpful.size(); i++) {
      if (candidates.size() >= enough && harmless) {
        break;
      }
      NodeState node = helpful.get((start + i) % helpful.size());
      Optional<PreemptionCandidate> candidate = candidate(attempt, node, reasons);
      candidate.ifPresent(candidates::add);
      harmless |= candidate.isPresent() && candidate.get().broken() == 0;
    }
    return candidates;
  }

  private Optional<PreemptionCandidate> candidate(
      NodeEvaluation attempt, NodeState node, SortedMap<String, Integer> reasons) {
    PodFacts pod = attempt.pod();
    List<PodFacts> lower =
        node.pods().stream()
            .filter(other -> other.priority() < pod.priority())
            .sorted(IMPORTANCE)
            .toList();
    if (lower.isEmpty()) {
      reasons.merge(NO_VICTIMS, 1, Integer::sum);
      return Optional.empty();
    }
    var trial = new Room(attempt, node, cluster.nominations().before(pod, node.name()));
    lower.forEach(trial.trial::remove);
    FilterResult empty = trial.filter();
    if (!empty.fits()) {
      NodeFilters.count(reasons, empty, 1);
      return Optional.empty();
    }
    List<PodFacts> breaking = budgets.broken(lower);
    List<PodFacts> broken = trial.leaving(breaking);
    List<PodFacts> others =
        trial.leaving(lower.stream().filter(other -> !breaking.contains(other)).toList());
    if (broken.isEmpty() && others.isEmpty()) {
      reasons.merge(NO_VICTIMS, 1, Integer::sum);
      return Optional.empty();
    }
    var victims = new ArrayList<>(broken);
    victims.addAll(others);
    victims.sort(IMPORTANCE);
    return Optional.of(new PreemptionCandidate(node.name(), victims, broken.size()));
  }

  /** A node on trial, with the pods that are nominated to it. */
  private static final class Room {
    private final NodeEvaluation.Trial trial;
    private final List<PodFacts> nominated;

    Room(NodeEvaluation attempt, NodeState node, List<PodFacts> nominated) {
      this.trial = attempt.trial(node);
      this.nominated = nominated;
    }

    /** Whether the pod fits both with the nominated pods and without them. */
    FilterResult filter() {
      FilterResult without = trial.filter();
      if (nominated.isEmpty() || !without.fits()) {
        return without;
      }
      nominated.forEach(trial::add);
      FilterResult with = trial.filter();
      nominated.forEach(trial::remove);
      return with;
    }

    /** Adds pods back as long as the preemptor still fits; returns the others, the victims. */
    List<PodFacts> leaving(List<PodFacts> pods) {
      var leaving = new ArrayList<PodFacts>();
      for (PodFacts pod : pods) {
        trial.add(pod);
        if (!filter().fits()) {
          trial.remove(pod);
          leaving.add(pod);
        }
      }
      return leaving;
    }
  }
}
