package dev.sluice.engine.scheduling;

/**
 * A filter that needs to know nothing but the pod's shape and the one node. Its answer is kept
 * until the node changes.
 */
interface Filter {

  Verdict judge(PodShape pod, NodeState node);
}
