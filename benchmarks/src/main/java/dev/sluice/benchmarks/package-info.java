/** {@code sluice bench}, and how fast the engine and the scheduler decide. */
@NullMarked
package dev.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
