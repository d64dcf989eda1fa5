/** Loads a whole control plane as Kueue's own performance tests do, and measures it. */
@NullMarked
package dev.sluice.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
