/** Scenario files, and their runs in virtual time. */
@NullMarked
package dev.sluice.simulator;

import org.jspecify.annotations.NullMarked;
