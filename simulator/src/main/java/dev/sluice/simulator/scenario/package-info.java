/** Scenario files: what is in them, and everything that can be wrong with them. */
@NullMarked
package dev.sluice.simulator.scenario;

import org.jspecify.annotations.NullMarked;
