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
 * How many pods that a selector means are on each node. A node is counted anew only once it has
 * changed: so one pod after the other may ask, and each costs a look at the nodes and not at all
 * their pods.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class SelectedPods {
  private static final int MOST = 64;

  private record CountKey(String namespace, LabelSelector selector) {}

  private final ClusterState cluster;

  /** Those not asked for longest are forgotten. */
  private final Map<CountKey, Counts> known = new LruMap<>(MOST);

  public SelectedPods(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** The pods of a namespace that a term counts; to be asked for anew for each pod. */
  Counts of(SpreadTerm term, String namespace) {
    var question = new CountKey(namespace, term.selector());
    Counts counts = known.get(question);
    if (counts == null) {
      counts = new Counts(term, namespace);
      known.put(question, counts);
    }
    counts.reserve();
    return counts;
  }

  /** The counts for one selector. */
  final class Counts {
    private final SpreadTerm term;
    private final String namespace;
    private int[] asked = {};
    private int[] counts = {};

    private Counts(SpreadTerm term, String namespace) {
      this.term = term;
      this.namespace = namespace;
    }

    private void reserve() {
      int before = asked.length;
      int slots = cluster.slotCount();
      if (before < slots) {
        asked = Arrays.copyOf(asked, slots);
        Arrays.fill(asked, before, slots, -1);
        counts = Arrays.copyOf(counts, slots);
      }
    }

    /** How many are on a node as it is now. */
    long on(NodeState node) {
      int slot = node.slot();
      int changes = cluster.changes(slot);
      if (asked[slot] != changes) {
        counts[slot] = count(node);
        asked[slot] = changes;
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
