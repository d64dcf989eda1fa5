/** Decision logs that say where they come from, and their repetition. */
@NullMarked
package dev.sluice.simulator.replay;

import org.jspecify.annotations.NullMarked;
