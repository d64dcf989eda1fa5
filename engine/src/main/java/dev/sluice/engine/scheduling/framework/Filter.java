package dev.sluice.engine.scheduling.framework;

import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;

/**
 * A filter that needs to know nothing but the pod's shape and the one node. Its answer is kept
 * until the node changes.
 */
public interface Filter {

  FilterResult judge(PodSignature pod, NodeState node);
}
