/** The control planes that are measured, as users start them, and a client that costs little. */
@NullMarked
package dev.sluice.benchmarks.world;

import org.jspecify.annotations.NullMarked;
