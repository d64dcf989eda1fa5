/** How fast the decisions are. */
@NullMarked
package dev.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
