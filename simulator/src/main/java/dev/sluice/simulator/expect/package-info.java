/** Whether a result is what its scenario expects. */
@NullMarked
package dev.sluice.simulator.expect;

import org.jspecify.annotations.NullMarked;
