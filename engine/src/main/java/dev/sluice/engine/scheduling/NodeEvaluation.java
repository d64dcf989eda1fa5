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
 * One pod's look at the nodes: what each of them says to it, the rest of the cluster considered.
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

  /** Whether other pods may count, because this one or one of them says so. */
  boolean looksAround() {
    return !pod.company().isNone() || cluster.hasSociablePods();
  }

  /** Whether only the nodes themselves count, so that pods of its shape get the same answer. */
  boolean isPlain() {
    return plain;
  }

  FilterResult judge(int slot) {
    FilterResult verdict = results.verdict(slot);
    if (plain || !verdict.fits()) {
      return verdict;
    }
    NodeState node = cluster.node(slot);
    verdict = judge(outlooks, node);
    return verdict.fits() && nominated ? judgeWithNominated(node) : verdict;
  }

  private static FilterResult judge(List<ClusterFilter.Outlook> outlooks, NodeState node) {
    for (ClusterFilter.Outlook outlook : outlooks) {
      FilterResult verdict = outlook.judge(node);
      if (!verdict.fits()) {
        return verdict;
      }
    }
    return FilterResult.FITS;
  }

  /** The room that is kept for pods no less important is not free. */
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

  /** A node on which pods come and go in thought. */
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
      FilterResult verdict = filters.judge(pod.shape(), node);
      return verdict.fits() ? NodeEvaluation.judge(changed, node) : verdict;
    }
  }

  /** The node on which room is kept for the pod, if it fits there now. */
  Optional<NodeState> nominatedNode() {
    return pod.nominatedNode().isEmpty()
        ? Optional.empty()
        : cluster.node(pod.nominatedNode()).filter(node -> judge(node.slot()).fits());
  }
}
