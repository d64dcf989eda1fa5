/**
 * Kueue's defaulting and validation of queues, workloads and jobs. Rules that a schema can express
 * are in the definitions of the kinds, not here.
 *
 * <p>Rules validate objects as they were written, before any view has interpreted them; so they
 * are, apart from the views, the only place that knows the names of fields.
 */
@NullMarked
package dev.sluice.controllers.queueing.rules;

import org.jspecify.annotations.NullMarked;
