/**
 * Kueue's admission rules: how queues, workloads and jobs are completed when they are written, and
 * which writes are refused. What a schema can say is in the definitions of the kinds, not here.
 *
 * <p>Rules judge objects as they were written, before any view has made sense of them; so they are,
 * beside the views, the other place that knows names of fields.
 */
@NullMarked
package dev.sluice.controllers.queueing.rules;

import org.jspecify.annotations.NullMarked;
