package dev.sluice.benchmarks.queue;

/** The time that another system took for a shape, and the source of that figure. */
record PeerFigure(String source, int seconds) {}
