package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.InterPodTerms;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodTerm;
import dev.sluice.engine.scheduling.framework.ClusterFilter;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import java.util.List;
import java.util.Optional;

/**
 * The filter of InterPodAffinity. Anti-affinity works both ways: existing pods may reject the new
 * one.
 */
public final class InterPodAffinityFilter implements ClusterFilter {
  private static final FilterResult NO_AFFINITY =
      FilterResult.unresolvable(
          Plugin.INTER_POD_AFFINITY, "node(s) didn't match pod affinity rules");
  private static final FilterResult ANTI_AFFINITY =
      FilterResult.rejected(
          Plugin.INTER_POD_AFFINITY, "node(s) didn't match pod anti-affinity rules");
  private static final FilterResult EXISTING_ANTI_AFFINITY =
      FilterResult.rejected(
          Plugin.INTER_POD_AFFINITY, "node(s) didn't satisfy existing pods anti-affinity rules");

  @Override
  public Optional<PreFiltered> prepare(PodFacts pod, ClusterState cluster) {
    InterPodTerms interPodTerms = pod.interPodTerms();
    boolean asks = !interPodTerms.affinity().isEmpty() || !interPodTerms.antiAffinity().isEmpty();
    if (!asks && !cluster.hasPodsWithTerms()) {
      return Optional.empty();
    }
    var counts =
        new Counts(pod, cluster, new DomainCounts(), new DomainCounts(), new DomainCounts());
    for (NodeState node : cluster.nodes()) {
      if (asks || node.hasPodsWithTerms()) {
        node.pods().forEach(other -> counts.added(other, node));
      }
    }
    return asks || !counts.unwelcome().isEmpty() ? Optional.of(counts) : Optional.empty();
  }

  /**
   * The number of matching pods by topology domain.
   *
   * @param wanted pods that match all affinity terms
   * @param shunned pods that match an anti-affinity term, once for each term
   * @param unwelcome anti-affinity terms of existing pods that match the pod
   */
  private record Counts(
      PodFacts pod,
      ClusterState cluster,
      DomainCounts wanted,
      DomainCounts shunned,
      DomainCounts unwelcome)
      implements PreFiltered {

    @Override
    public void change(PodFacts other, NodeState node, long by) {
      List<PodTerm> affinity = pod.interPodTerms().affinity();
      if (!affinity.isEmpty() && matchesAll(affinity, other)) {
        affinity.forEach(term -> wanted.add(term.topologyKey(), node.facts(), by));
      }
      for (PodTerm term : pod.interPodTerms().antiAffinity()) {
        if (term.means(other, cluster)) {
          shunned.add(term.topologyKey(), node.facts(), by);
        }
      }
      for (PodTerm term : other.interPodTerms().antiAffinity()) {
        if (term.means(pod, cluster)) {
          unwelcome.add(term.topologyKey(), node.facts(), by);
        }
      }
    }

    private boolean matchesAll(List<PodTerm> terms, PodFacts other) {
      return terms.stream().allMatch(term -> term.means(other, cluster));
    }

    @Override
    public FilterResult filter(NodeState node) {
      if (!hasPodsForAffinity(node)) {
        return NO_AFFINITY;
      }
      for (PodTerm term : pod.interPodTerms().antiAffinity()) {
        if (shunned.get(term.topologyKey(), node.facts()) > 0) {
          return ANTI_AFFINITY;
        }
      }
      return unwelcome.sum(node.facts()) > 0 ? EXISTING_ANTI_AFFINITY : FilterResult.FITS;
    }

    private boolean hasPodsForAffinity(NodeState node) {
      List<PodTerm> terms = pod.interPodTerms().affinity();
      boolean found = true;
      for (PodTerm term : terms) {
        if (node.facts().label(term.topologyKey()) == null) {
          return false;
        }
        found &= wanted.get(term.topologyKey(), node.facts()) > 0;
      }
      // The first of several pods with affinity to each other has no other pod to match.
      return found || (wanted.isEmpty() && matchesAll(terms, pod));
    }

    @Override
    public PreFiltered copy() {
      return new Counts(pod, cluster, wanted.copy(), shunned.copy(), unwelcome.copy());
    }
  }
}
