package dev.sluice.engine.scheduling;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** PodTopologySpread as a wish: the fewer of the selected pods are near, the better. */
final class SpreadScore implements ClusterScore {
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final long WEIGHT = 2;

  @Override
  public void add(PodFacts pod, ClusterState cluster, int[] feasible, int count, long[] totals) {
    List<SpreadTerm> terms =
        pod.company().spread().stream().filter(term -> !term.rule().required()).toList();
    if (!terms.isEmpty()) {
      var wishes = new Wishes(pod, terms, cluster);
      wishes.weigh(feasible, count);
      wishes.addTo(totals);
    }
  }

  /** One pod's wishes, and what the feasible nodes make of them. */
  private static final class Wishes {
    private final PodFacts pod;
    private final List<SpreadTerm> terms;
    private final ClusterState cluster;
    private long[] raw = {};

    Wishes(PodFacts pod, List<SpreadTerm> terms, ClusterState cluster) {
      this.pod = pod;
      this.terms = terms;
      this.cluster = cluster;
    }

    /** Fills {@code raw}: the more, the worse; -1 for nodes that lack a label. */
    void weigh(int[] feasible, int count) {
      raw = new long[count];
      List<SortedMap<String, Long>> near = SpreadFilter.countsFor(terms);
      int judged = 0;
      for (int n = 0; n < count; n++) {
        NodeFacts node = cluster.node(feasible[n]).facts();
        boolean complete = SpreadFilter.hasKeys(node, terms);
        raw[n] = complete ? 0 : -1;
        judged += complete ? 1 : 0;
        for (int i = 0; i < terms.size() && complete; i++) {
          near.get(i).put(String.valueOf(node.label(terms.get(i).key())), 0L);
        }
      }
      cluster.nodes().forEach(node -> countPods(node, near));
      for (int n = 0; n < count; n++) {
        raw[n] = raw[n] < 0 ? -1 : raw(cluster.node(feasible[n]), near, judged);
      }
    }

    private void countPods(NodeState node, List<SortedMap<String, Long>> near) {
      if (!SpreadFilter.hasKeys(node.facts(), terms)) {
        return;
      }
      for (int i = 0; i < terms.size(); i++) {
        SpreadTerm term = terms.get(i);
        @Nullable String value = node.facts().label(term.key());
        boolean counted =
            value != null
                && !term.key().equals(HOSTNAME)
                && near.get(i).containsKey(value)
                && term.includes(node.facts(), pod.shape());
        if (counted) {
          near.get(i).merge(value, pods(term, node), Long::sum);
        }
      }
    }

    private long pods(SpreadTerm term, NodeState node) {
      return node.pods().stream().filter(other -> term.counts(other, pod.namespace())).count();
    }

    private long raw(NodeState node, List<SortedMap<String, Long>> near, int judged) {
      long sum = 0;
      for (int i = 0; i < terms.size(); i++) {
        SpreadTerm term = terms.get(i);
        boolean single = term.key().equals(HOSTNAME);
        String value = String.valueOf(node.facts().label(term.key()));
        long pods = single ? pods(term, node) : near.get(i).getOrDefault(value, 0L);
        long domains = single ? judged : near.get(i).size();
        sum += pods * Logarithm.of(domains + 2) + ((term.rule().maxSkew() - 1) << Logarithm.BITS);
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
          totals[n] += WEIGHT * (max == 0 ? Scores.MOST : Scores.MOST * (max + min - raw[n]) / max);
        }
      }
    }
  }
}
