package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.SpreadTerm;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.LruMap;
import java.util.Arrays;
import java.util.Map;

/**
 * The number of selected pods on each node. A node is counted again only after it has changed, so
 * each scheduled pod costs a read of the nodes and not of all their pods.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class SelectedPods {
  private static final int MAX_SELECTORS = 64;

  private record CountKey(String namespace, LabelSelector selector) {}

  private final ClusterState cluster;

  /** Evicts the least recently used. */
  private final Map<CountKey, Counts> known = new LruMap<>(MAX_SELECTORS);

  public SelectedPods(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** The counts for a term and a namespace; to be called again for each pod. */
  Counts of(SpreadTerm term, String namespace) {
    var key = new CountKey(namespace, term.selector());
    Counts counts = known.get(key);
    if (counts == null) {
      counts = new Counts(term, namespace);
      known.put(key, counts);
    }
    counts.reserve();
    return counts;
  }

  /** The counts for one selector. */
  final class Counts {
    private final SpreadTerm term;
    private final String namespace;
    private int[] countedAt = {};
    private int[] counts = {};

    private Counts(SpreadTerm term, String namespace) {
      this.term = term;
      this.namespace = namespace;
    }

    private void reserve() {
      int before = countedAt.length;
      int slots = cluster.slotCount();
      if (before < slots) {
        countedAt = Arrays.copyOf(countedAt, slots);
        Arrays.fill(countedAt, before, slots, -1);
        counts = Arrays.copyOf(counts, slots);
      }
    }

    /** The count of a node as it is now. */
    long on(NodeState node) {
      int slot = node.slot();
      int changes = cluster.changes(slot);
      if (countedAt[slot] != changes) {
        counts[slot] = count(node);
        countedAt[slot] = changes;
      }
      return counts[slot];
    }

    private int count(NodeState node) {
      int count = 0;
      for (PodFacts pod : node.pods()) {
        count += term.counts(pod, namespace) ? 1 : 0;
      }
      return count;
    }
  }
}
