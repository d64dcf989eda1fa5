package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.ClusterFilter;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The evaluation of the nodes for one pod: filter results that also consider the pods elsewhere and
 * the nominated pods.
 */
final class NodeEvaluation {
  private final PodFacts pod;
  private final ClusterState cluster;
  private final NodeFilters filters;
  private final FilterCache results;
  private final List<ClusterFilter.PreFiltered> preFilters;
  private final boolean nominated;
  private final boolean plain;

  NodeEvaluation(
      PodFacts pod,
      ClusterState cluster,
      NodeFilters filters,
      FilterCache results,
      List<ClusterFilter> clusterFilters,
      boolean always) {
    this.pod = pod;
    this.cluster = cluster;
    this.filters = filters;
    this.results = results;
    this.preFilters = new ArrayList<>(0);
    if (always || looksAround() || !pod.signature().volumeClaims().isEmpty()) {
      clusterFilters.forEach(filter -> filter.prepare(pod, cluster).ifPresent(preFilters::add));
    }
    this.nominated = !cluster.nominations().isEmpty();
    this.plain = preFilters.isEmpty() && !nominated;
    results.reserve();
  }

  PodFacts pod() {
    return pod;
  }

  /** Whether other pods matter, because this pod or one of them has inter-pod terms. */
  boolean looksAround() {
    return !pod.interPodTerms().isNone() || cluster.hasPodsWithTerms();
  }

  /**
   * Whether only the nodes themselves matter, so that all pods of its signature get the same
   * result.
   */
  boolean isPlain() {
    return plain;
  }

  FilterResult filter(int slot) {
    FilterResult result = results.verdict(slot);
    if (plain || !result.fits()) {
      return result;
    }
    NodeState node = cluster.node(slot);
    result = filter(preFilters, node);
    return result.fits() && nominated ? judgeWithNominated(node) : result;
  }

  private static FilterResult filter(List<ClusterFilter.PreFiltered> preFilters, NodeState node) {
    for (ClusterFilter.PreFiltered preFilter : preFilters) {
      FilterResult result = preFilter.filter(node);
      if (!result.fits()) {
        return result;
      }
    }
    return FilterResult.FITS;
  }

  /** Nominated pods of equal or higher priority count as if they were on the node. */
  private FilterResult judgeWithNominated(NodeState node) {
    List<PodFacts> others = cluster.nominations().before(pod, node.name());
    if (others.isEmpty()) {
      return FilterResult.FITS;
    }
    Trial trial = trial(node);
    others.forEach(trial::add);
    return trial.filter();
  }

  Trial trial(NodeState node) {
    return new Trial(
        node.copy(), preFilters.stream().map(ClusterFilter.PreFiltered::copy).toList());
  }

  /** A copy of a node on which pods are added and removed on trial. */
  final class Trial {
    private final NodeState node;
    private final List<ClusterFilter.PreFiltered> changed;

    private Trial(NodeState node, List<ClusterFilter.PreFiltered> changed) {
      this.node = node;
      this.changed = changed;
    }

    void add(PodFacts other) {
      node.add(other);
      changed.forEach(preFilter -> preFilter.added(other, node));
    }

    void remove(PodFacts other) {
      node.remove(other);
      changed.forEach(preFilter -> preFilter.removed(other, node));
    }

    FilterResult filter() {
      FilterResult result = filters.filter(pod.signature(), node);
      return result.fits() ? NodeEvaluation.filter(changed, node) : result;
    }
  }

  /** The pod's nominated node, if the pod fits there now. */
  Optional<NodeState> nominatedNode() {
    return pod.nominatedNode().isEmpty()
        ? Optional.empty()
        : cluster.node(pod.nominatedNode()).filter(node -> filter(node.slot()).fits());
  }
}
