package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeFacts;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.SpreadTerm;
import dev.sluice.engine.scheduling.framework.ClusterFilter;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.model.core.pod.SpreadConstraint;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The filter of PodTopologySpread: no domain may exceed the emptiest one by more than maxSkew. */
public final class TopologySpreadFilter implements ClusterFilter {
  private static final FilterResult NO_LABEL =
      FilterResult.unresolvable(
          Plugin.POD_TOPOLOGY_SPREAD,
          "node(s) didn't match pod topology spread constraints (missing required label)");
  private static final FilterResult UNEVEN =
      FilterResult.rejected(
          Plugin.POD_TOPOLOGY_SPREAD, "node(s) didn't match pod topology spread constraints");

  private final SelectedPods selected;
  private final List<SpreadConstraint> defaults;

  public TopologySpreadFilter(SelectedPods selected, Profile profile) {
    this.selected = selected;
    this.defaults = profile.spread().constraints(true);
  }

  @Override
  public Optional<PreFiltered> prepare(PodFacts pod, ClusterState cluster) {
    List<SpreadTerm> own = pod.interPodTerms().spread();
    List<SpreadTerm> terms =
        own.isEmpty()
            ? cluster.spreadDefaults().terms(pod, defaults)
            : own.stream().filter(term -> term.rule().required()).toList();
    if (terms.isEmpty()) {
      return Optional.empty();
    }
    var counts = new Counts(pod, terms, countsFor(terms));
    for (int i = 0; i < terms.size(); i++) {
      SelectedPods.Counts pods = selected.of(terms.get(i), pod.namespace());
      for (int slot : cluster.order()) {
        counts.include(i, cluster.node(slot), pods);
      }
    }
    return Optional.of(counts);
  }

  /** Empty counts for each term. */
  static List<SortedMap<String, Long>> countsFor(List<SpreadTerm> terms) {
    return terms.stream().map(_ -> copy(Collections.emptySortedMap())).toList();
  }

  private static SortedMap<String, Long> copy(SortedMap<String, Long> counts) {
    return new TreeMap<>(counts);
  }

  /** Whether a node has the topology keys of all terms. */
  static boolean hasKeys(NodeFacts node, List<SpreadTerm> terms) {
    for (SpreadTerm term : terms) {
      if (node.label(term.key()) == null) {
        return false;
      }
    }
    return true;
  }

  /** The number of selected pods in each domain. */
  private static final class Counts implements PreFiltered {
    private static final long UNKNOWN = -1;

    private final PodFacts pod;
    private final List<SpreadTerm> terms;

    /** For each term, the counts by domain; also of empty domains. */
    private final List<SortedMap<String, Long>> byTerm;

    /** For each term, the count of the emptiest domain; computed once for all nodes. */
    private final long[] least;

    Counts(PodFacts pod, List<SpreadTerm> terms, List<SortedMap<String, Long>> byTerm) {
      this.pod = pod;
      this.terms = terms;
      this.byTerm = byTerm;
      this.least = new long[terms.size()];
      Arrays.fill(least, UNKNOWN);
    }

    void include(int index, NodeState node, SelectedPods.Counts pods) {
      SpreadTerm term = terms.get(index);
      String value = node.facts().label(term.key());
      if (value != null
          && hasKeys(node.facts(), terms)
          && term.includes(node.facts(), pod.signature())) {
        byTerm.get(index).merge(value, pods.on(node), Long::sum);
      }
    }

    @Override
    public FilterResult filter(NodeState node) {
      for (int i = 0; i < terms.size(); i++) {
        SpreadTerm term = terms.get(i);
        String value = node.facts().label(term.key());
        if (value == null) {
          return NO_LABEL;
        }
        long own = term.selector().matches(pod.labels()) ? 1 : 0;
        long here = byTerm.get(i).getOrDefault(value, 0L);
        if (here + own - least(i) > term.rule().maxSkew()) {
          return UNEVEN;
        }
      }
      return FilterResult.FITS;
    }

    /** The minimum is 0 where there are fewer than minDomains. */
    private long least(int index) {
      if (least[index] == UNKNOWN) {
        SortedMap<String, Long> counts = byTerm.get(index);
        boolean few = counts.size() < terms.get(index).rule().minDomains();
        least[index] = few || counts.isEmpty() ? 0 : Collections.min(counts.values());
      }
      return least[index];
    }

    @Override
    public void change(PodFacts other, NodeState node, long by) {
      if (!hasKeys(node.facts(), terms)) {
        return;
      }
      for (int i = 0; i < terms.size(); i++) {
        SpreadTerm term = terms.get(i);
        String value = node.facts().label(term.key());
        boolean counted =
            term.counts(other, pod.namespace()) && term.includes(node.facts(), pod.signature());
        if (value != null && counted) {
          byTerm.get(i).merge(value, by, Long::sum);
          least[i] = UNKNOWN;
        }
      }
    }

    @Override
    public PreFiltered copy() {
      return new Counts(pod, terms, byTerm.stream().map(TopologySpreadFilter::copy).toList());
    }
  }
}
