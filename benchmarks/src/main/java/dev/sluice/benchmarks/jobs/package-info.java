/** Large Jobs on simulated nodes: one from its creation to its end, and many that stay. */
@NullMarked
package dev.sluice.benchmarks.jobs;

import org.jspecify.annotations.NullMarked;
