package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeFacts;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.SpreadDefaults;
import dev.sluice.engine.scheduling.cluster.SpreadTerm;
import dev.sluice.engine.scheduling.framework.ClusterScore;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.model.core.pod.SpreadConstraint;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The score of PodTopologySpread: the fewer selected pods in a node's domains, the better. {@link
 * SpreadDefaults} has the constraints of pods without their own.
 */
public final class TopologySpreadScore implements ClusterScore {
  private final SelectedPods selected;
  private final boolean systemDefaults;
  private final List<SpreadConstraint> defaults;
  private final long weight;

  public TopologySpreadScore(SelectedPods selected, Profile profile) {
    this.selected = selected;
    this.systemDefaults = profile.spread().system();
    this.defaults = profile.spread().constraints(false);
    this.weight = profile.weight(Plugin.POD_TOPOLOGY_SPREAD);
  }

  @Override
  public void add(PodFacts pod, ClusterState cluster, int[] feasible, int count, long[] totals) {
    List<SpreadTerm> own = pod.interPodTerms().spread();
    List<SpreadTerm> terms =
        own.isEmpty()
            ? cluster.spreadDefaults().terms(pod, defaults)
            : own.stream().filter(term -> !term.rule().required()).toList();
    if (!terms.isEmpty()) {
      var wishes = new Wishes(pod, terms, !own.isEmpty() || !systemDefaults, cluster);
      wishes.weigh(feasible, count);
      wishes.addTo(totals);
    }
  }

  /** The constraints of one pod, with the raw scores of the feasible nodes. */
  private final class Wishes {
    private final PodFacts pod;
    private final List<SpreadTerm> terms;
    private final List<SelectedPods.Counts> counts;

    /** Whether nodes that lack a topology key are ignored; otherwise only that key is. */
    private final boolean strict;

    private final ClusterState cluster;
    private long[] raw = {};

    Wishes(PodFacts pod, List<SpreadTerm> terms, boolean strict, ClusterState cluster) {
      this.pod = pod;
      this.terms = terms;
      this.counts = terms.stream().map(term -> selected.of(term, pod.namespace())).toList();
      this.strict = strict;
      this.cluster = cluster;
    }

    /** Fills {@code raw}: the more, the worse; -1 for ignored nodes. */
    void weigh(int[] feasible, int count) {
      raw = new long[count];
      List<SortedMap<String, Long>> near = TopologySpreadFilter.countsFor(terms);
      int scored = 0;
      for (int n = 0; n < count; n++) {
        NodeFacts node = cluster.node(feasible[n]).facts();
        boolean included = !strict || TopologySpreadFilter.hasKeys(node, terms);
        raw[n] = included ? 0 : -1;
        scored += included ? 1 : 0;
        for (int i = 0; i < terms.size() && included; i++) {
          if (!isSingle(i)) {
            near.get(i).put(domain(i, node), 0L);
          }
        }
      }
      for (int i = 0; i < terms.size(); i++) {
        if (!isSingle(i)) {
          countPods(i, near.get(i));
        }
      }
      for (int n = 0; n < count; n++) {
        raw[n] = raw[n] < 0 ? -1 : raw(cluster.node(feasible[n]), near, scored);
      }
    }

    /** Whether each domain is one node. */
    private boolean isSingle(int index) {
      return terms.get(index).key().equals(SpreadTerm.HOSTNAME);
    }

    /** Nodes without the topology key are one domain when domains are counted. */
    private String domain(int index, NodeFacts node) {
      @Nullable String value = node.label(terms.get(index).key());
      return value == null ? "" : value;
    }

    private void countPods(int index, SortedMap<String, Long> near) {
      SpreadTerm term = terms.get(index);
      for (int slot : cluster.order()) {
        NodeState node = cluster.node(slot);
        long pods = counts.get(index).on(node);
        boolean counted =
            pods > 0
                && near.containsKey(domain(index, node.facts()))
                && (!strict || TopologySpreadFilter.hasKeys(node.facts(), terms))
                && term.includes(node.facts(), pod.signature());
        if (counted) {
          near.merge(domain(index, node.facts()), pods, Long::sum);
        }
      }
    }

    private long raw(NodeState node, List<SortedMap<String, Long>> near, int scored) {
      long sum = 0;
      for (int i = 0; i < terms.size(); i++) {
        SpreadTerm term = terms.get(i);
        @Nullable String value = node.facts().label(term.key());
        if (value != null) {
          long pods = isSingle(i) ? counts.get(i).on(node) : near.get(i).getOrDefault(value, 0L);
          long domains = isSingle(i) ? scored : near.get(i).size();
          sum += pods * Logarithm.of(domains + 2) + ((term.rule().maxSkew() - 1) << Logarithm.BITS);
        }
      }
      return (sum + (1L << (Logarithm.BITS - 1))) >> Logarithm.BITS;
    }

    void addTo(long[] totals) {
      long max = 0;
      long min = Long.MAX_VALUE;
      for (long one : raw) {
        max = Math.max(max, one);
        min = one >= 0 ? Math.min(min, one) : min;
      }
      for (int n = 0; n < raw.length; n++) {
        if (raw[n] >= 0) {
          totals[n] +=
              weight
                  * (max == 0
                      ? NodeLocalScores.MOST
                      : NodeLocalScores.MOST * (max + min - raw[n]) / max);
        }
      }
    }
  }
}
