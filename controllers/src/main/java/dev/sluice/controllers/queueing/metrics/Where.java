package dev.sluice.controllers.queueing.metrics;

/**
 * The queues of a workload, as labels of its metrics.
 *
 * @param clusterQueue the ClusterQueue; empty if the LocalQueue does not exist
 * @param measured whether the LocalQueue has metrics of its own
 */
record Where(String clusterQueue, String namespace, String localQueue, boolean measured) {}
