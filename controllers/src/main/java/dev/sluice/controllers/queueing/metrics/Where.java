package dev.sluice.controllers.queueing.metrics;

/**
 * Where something happened to a workload.
 *
 * @param clusterQueue empty if the LocalQueue leads nowhere
 * @param measured whether the LocalQueue has metrics of its own
 */
record Where(String clusterQueue, String namespace, String localQueue, boolean measured) {}
