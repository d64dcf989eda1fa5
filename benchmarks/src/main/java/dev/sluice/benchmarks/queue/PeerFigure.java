package dev.sluice.benchmarks.queue;

/** How long another system took for a shape, and where that is known from. */
record PeerFigure(String who, int seconds) {}
