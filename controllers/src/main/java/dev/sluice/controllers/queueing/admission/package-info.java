/** The admission controller: the engine's queues, its decisions, and their writes. */
@NullMarked
package dev.sluice.controllers.queueing.admission;

import org.jspecify.annotations.NullMarked;
