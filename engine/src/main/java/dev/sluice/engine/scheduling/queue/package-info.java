/** The scheduling queue: active, backing off, unschedulable and waiting pods. */
@NullMarked
package dev.sluice.engine.scheduling.queue;

import org.jspecify.annotations.NullMarked;
