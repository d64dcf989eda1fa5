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
  private final List<ClusterFilter.Outlook> outlooks;
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
    this.outlooks = new ArrayList<>(0);
    if (always || looksAround() || !pod.shape().volumeClaims().isEmpty()) {
      clusterFilters.forEach(filter -> filter.prepare(pod, cluster).ifPresent(outlooks::add));
    }
    this.nominated = !cluster.nominations().isEmpty();
    this.plain = outlooks.isEmpty() && !nominated;
    results.reserve();
  }

  PodFacts pod() {
    return pod;
  }

  /** Whether other pods matter, because this pod or one of them has inter-pod terms. */
  boolean looksAround() {
    return !pod.company().isNone() || cluster.hasSociablePods();
  }

  /**
   * Whether only the nodes themselves matter, so that all pods of its signature get the same
   * result.
   */
  boolean isPlain() {
    return plain;
  }

  FilterResult judge(int slot) {
    FilterResult result = results.verdict(slot);
    if (plain || !result.fits()) {
      return result;
    }
    NodeState node = cluster.node(slot);
    result = judge(outlooks, node);
    return result.fits() && nominated ? judgeWithNominated(node) : result;
  }

  private static FilterResult judge(List<ClusterFilter.Outlook> outlooks, NodeState node) {
    for (ClusterFilter.Outlook outlook : outlooks) {
      FilterResult result = outlook.judge(node);
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
    return trial.judge();
  }

  Trial trial(NodeState node) {
    return new Trial(node.copy(), outlooks.stream().map(ClusterFilter.Outlook::copy).toList());
  }

  /** A copy of a node on which pods are added and removed on trial. */
  final class Trial {
    private final NodeState node;
    private final List<ClusterFilter.Outlook> changed;

    private Trial(NodeState node, List<ClusterFilter.Outlook> changed) {
      this.node = node;
      this.changed = changed;
    }

    void add(PodFacts other) {
      node.add(other);
      changed.forEach(outlook -> outlook.added(other, node));
    }

    void remove(PodFacts other) {
      node.remove(other);
      changed.forEach(outlook -> outlook.removed(other, node));
    }

    FilterResult judge() {
      FilterResult result = filters.judge(pod.shape(), node);
      return result.fits() ? NodeEvaluation.judge(changed, node) : result;
    }
  }

  /** The pod's nominated node, if the pod fits there now. */
  Optional<NodeState> nominatedNode() {
    return pod.nominatedNode().isEmpty()
        ? Optional.empty()
        : cluster.node(pod.nominatedNode()).filter(node -> judge(node.slot()).fits());
  }
}
