package dev.sluice.engine.queue;

/**
 * A workload's place among the variants of one job, each for a flavor of its own, of which one is
 * to run.
 *
 * @param parent the uid of the workload that they are variants of
 * @param flavor the only flavor that it may be assigned
 * @param rank the position of the flavor in the ClusterQueue; the first is the best
 */
public record Sibling(String parent, String flavor, int rank) {}
