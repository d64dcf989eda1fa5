/** The report of runs: comparisons in words, and one self-contained page with their charts. */
@NullMarked
package dev.sluice.simulator.report;

import org.jspecify.annotations.NullMarked;
