/** What a run did, as values: the result sheet, reports and comparisons are made of these alone. */
@NullMarked
package dev.sluice.simulator.result;

import org.jspecify.annotations.NullMarked;
