/** Scenario files in virtual time. */
@NullMarked
package dev.sluice.simulator;

import org.jspecify.annotations.NullMarked;
