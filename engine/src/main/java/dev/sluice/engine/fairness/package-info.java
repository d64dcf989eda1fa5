/** Admission fair sharing: the past usage of LocalQueues, its decay and its order. */
@NullMarked
package dev.sluice.engine.fairness;

import org.jspecify.annotations.NullMarked;
