/** Preemption: the choice of victims so that another workload fits. */
@NullMarked
package dev.sluice.engine.preemption;

import org.jspecify.annotations.NullMarked;
