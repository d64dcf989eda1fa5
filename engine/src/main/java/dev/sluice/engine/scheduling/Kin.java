package dev.sluice.engine.scheduling;

import dev.sluice.model.tree.Tree;
import java.util.SortedSet;

/**
 * What pods have in common that wait for the same: if one of them fits nowhere, none of the others
 * does.
 *
 * @param labels empty where neither they nor the namespace matter
 */
record Kin(
    PodShape shape,
    long priority,
    boolean preempts,
    String nominatedNode,
    Company company,
    String namespace,
    Tree labels,
    SortedSet<Plugin> plugins) {

  static Kin of(PodFacts pod, SortedSet<Plugin> plugins) {
    boolean social = !pod.company().isNone() || judgesCompany(plugins);
    return new Kin(
        pod.shape(),
        pod.priority(),
        pod.preempts(),
        pod.nominatedNode(),
        pod.company(),
        social ? pod.namespace() : "",
        social ? pod.labels() : Tree.EMPTY,
        plugins);
  }

  /** Whether pods elsewhere had to do with it that these found no place. */
  boolean judgesCompany() {
    return judgesCompany(plugins);
  }

  private static boolean judgesCompany(SortedSet<Plugin> plugins) {
    return plugins.contains(Plugin.POD_TOPOLOGY_SPREAD)
        || plugins.contains(Plugin.INTER_POD_AFFINITY);
  }

  /** Whether there were no nodes at all. */
  boolean hadNoNodes() {
    return plugins.isEmpty();
  }

  /**
   * Whether a pod that came to a node is one that these want to be near, or that evens them out.
   */
  boolean welcomes(PodFacts pod, ClusterState cluster) {
    return company.affinity().stream().anyMatch(term -> term.means(pod, cluster))
        || company.spread().stream().anyMatch(term -> term.counts(pod, namespace));
  }
}
