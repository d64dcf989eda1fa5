/** A cluster at one time, as a file that a simulation goes on from. */
@NullMarked
package dev.sluice.simulator.snapshot;

import org.jspecify.annotations.NullMarked;
