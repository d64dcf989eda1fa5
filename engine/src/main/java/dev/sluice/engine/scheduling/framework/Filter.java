package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;

/**
 * A filter that depends on nothing but the pod's signature and one node. Its result is cached until
 * the node changes.
 */
public interface Filter {

  FilterResult filter(PodSignature pod, NodeState node);
}
