/** Lets the engine decide who is admitted, and writes what it decided. */
@NullMarked
package dev.sluice.controllers.queueing.admission;

import org.jspecify.annotations.NullMarked;
