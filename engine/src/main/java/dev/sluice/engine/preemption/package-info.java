/** Which workloads must give way so that another fits. */
@NullMarked
package dev.sluice.engine.preemption;

import org.jspecify.annotations.NullMarked;
