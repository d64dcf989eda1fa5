/** The load of Kueue's own performance tests on a whole control plane, and its measurements. */
@NullMarked
package dev.sluice.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
