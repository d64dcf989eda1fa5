/** When jobs are submitted and how long things take: distributions and traces. */
@NullMarked
package dev.sluice.simulator.load;

import org.jspecify.annotations.NullMarked;
