package dev.sluice.engine.queue;

/**
 * The names of a workload's queues.
 *
 * @param local the LocalQueue, in the workload's namespace
 * @param cluster the ClusterQueue that the LocalQueue leads to
 */
public record QueueNames(String local, String cluster) {}
