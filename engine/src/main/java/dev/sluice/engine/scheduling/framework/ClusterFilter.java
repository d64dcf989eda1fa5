package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.util.Optional;

/** A filter whose answer depends on pods all over the cluster. */
public interface ClusterFilter {

  /** Looks at the cluster for one pod; nothing comes of it if the filter does not concern it. */
  Optional<Outlook> prepare(PodFacts pod, ClusterState cluster);

  /** What was found, and how it changes if pods come or go. */
  interface Outlook {
    FilterResult judge(NodeState node);

    default void added(PodFacts other, NodeState node) {
      change(other, node, 1);
    }

    default void removed(PodFacts other, NodeState node) {
      change(other, node, -1);
    }

    /** Counts a pod on a node so many times more, or less. */
    void change(PodFacts other, NodeState node, long by);

    /** A copy on which one may try what would be. */
    Outlook copy();
  }
}
