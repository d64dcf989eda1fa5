/**
 * Runs of scenarios: the controllers of production in virtual time, and a recorder of what they do.
 */
@NullMarked
package dev.sluice.simulator.run;

import org.jspecify.annotations.NullMarked;
