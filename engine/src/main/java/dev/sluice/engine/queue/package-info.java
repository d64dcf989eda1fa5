/** Queues as decisions see them: their rules, who waits in them, and who holds their quota. */
@NullMarked
package dev.sluice.engine.queue;

import org.jspecify.annotations.NullMarked;
