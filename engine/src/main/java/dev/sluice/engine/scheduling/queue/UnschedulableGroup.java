package dev.sluice.engine.scheduling.queue;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.InterPodTerms;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import dev.sluice.model.core.pod.ClaimUse;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedSet;

/**
 * The key of equivalent unschedulable pods: if one of them fits on no node, none of the others
 * does.
 *
 * @param claims the scope of its PersistentVolumeClaims: the namespace, or the pod if it has
 *     ephemeral ones
 * @param labels the pods' labels; empty where neither they nor the namespace matter
 */
record UnschedulableGroup(
    PodSignature signature,
    long priority,
    boolean preempts,
    String nominatedNode,
    InterPodTerms interPodTerms,
    String claims,
    String namespace,
    Tree labels,
    SortedSet<Plugin> plugins) {

  private static final List<Plugin> UNMOVED_BY_PODS =
      List.of(Plugin.VOLUME_BINDING, Plugin.VOLUME_ZONE, Plugin.DYNAMIC_RESOURCES);

  static UnschedulableGroup of(PodFacts pod, SortedSet<Plugin> plugins) {
    boolean social = !pod.interPodTerms().isNone() || considersOtherPods(plugins);
    return new UnschedulableGroup(
        pod.signature(),
        pod.priority(),
        pod.preempts(),
        pod.nominatedNode(),
        pod.interPodTerms(),
        claims(pod),
        social ? pod.namespace() : "",
        social ? pod.labels() : Tree.EMPTY,
        plugins);
  }

  private static String claims(PodFacts pod) {
    List<ClaimUse> uses = pod.signature().volumeClaims();
    if (uses.isEmpty()) {
      return "";
    }
    return uses.stream().anyMatch(ClaimUse::ownClaim)
        ? pod.namespace() + "/" + pod.key().name()
        : pod.namespace();
  }

  /** Whether a filter that depends on other pods rejected these. */
  boolean considersOtherPods() {
    return considersOtherPods(plugins);
  }

  private static boolean considersOtherPods(SortedSet<Plugin> plugins) {
    return plugins.contains(Plugin.POD_TOPOLOGY_SPREAD)
        || plugins.contains(Plugin.VOLUME_RESTRICTIONS)
        || plugins.contains(Plugin.INTER_POD_AFFINITY);
  }

  /**
   * Whether it can help these pods that others leave their nodes. It cannot where only volumes are
   * missing, or where there were no nodes at all.
   */
  boolean needsRoom() {
    return !UNMOVED_BY_PODS.containsAll(plugins);
  }

  /**
   * Whether these pods fit on a node, or would after preemption, as far as that node alone decides.
   */
  boolean mayFit(NodeState node, NodeFilters filters) {
    FilterResult result = filters.filter(signature, node);
    return result.fits()
        || (preempts
            && result.resolvable()
            && node.hasBelow(priority)
            && filters.filter(signature, node.withoutBelow(priority)).fits());
  }

  /** Whether one of these filters rejected the pods. */
  boolean isRefusedBy(List<Plugin> some) {
    return plugins.stream().anyMatch(some::contains);
  }

  /**
   * Whether a newly assigned pod matches the affinity or spread terms of these pods. If they are
   * spread by default, any pod of their namespace may.
   */
  boolean welcomes(PodFacts pod, ClusterState cluster) {
    boolean spreadByDefault =
        interPodTerms.spread().isEmpty() && plugins.contains(Plugin.POD_TOPOLOGY_SPREAD);
    return (spreadByDefault && pod.namespace().equals(namespace))
        || interPodTerms.affinity().stream().anyMatch(term -> term.means(pod, cluster))
        || interPodTerms.spread().stream().anyMatch(term -> term.counts(pod, namespace));
  }
}
