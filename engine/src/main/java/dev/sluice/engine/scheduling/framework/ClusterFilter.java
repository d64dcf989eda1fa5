package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.util.Optional;

/** A filter whose result depends on pods all over the cluster. */
public interface ClusterFilter {

  /** Reads the cluster for one pod, as PreFilter does; empty if the filter does not apply to it. */
  Optional<PreFiltered> prepare(PodFacts pod, ClusterState cluster);

  /** The state of the filter for one pod, updated as pods are added and removed on trial. */
  interface PreFiltered {
    FilterResult filter(NodeState node);

    default void added(PodFacts other, NodeState node) {
      change(other, node, 1);
    }

    default void removed(PodFacts other, NodeState node) {
      change(other, node, -1);
    }

    /** Counts a pod on a node so many times more, or fewer. */
    void change(PodFacts other, NodeState node, long by);

    /** A copy for changes on trial. */
    PreFiltered copy();
  }
}
