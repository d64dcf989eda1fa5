/**
 * The policy of an admission cycle: take the heads, nominate, order, process each entry, requeue.
 */
@NullMarked
package dev.sluice.engine.admission.cycle;

import org.jspecify.annotations.NullMarked;
