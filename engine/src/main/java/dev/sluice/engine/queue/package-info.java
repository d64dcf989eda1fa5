/** Queues as decisions see them: their specs, their pending workloads and their reservations. */
@NullMarked
package dev.sluice.engine.queue;

import org.jspecify.annotations.NullMarked;
