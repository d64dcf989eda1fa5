package dev.sluice.engine.queue;

/**
 * One of several workloads, each for a flavor of its own, of which one is to run.
 *
 * @param parent the uid of what they all stand for
 * @param flavor the only one that it may get
 * @param rank the place of the flavor in the order of the queue; the first is the best
 */
public record Sibling(String parent, String flavor, int rank) {}
