/** The invariants of queueing, as code that finds violations. */
@NullMarked
package dev.sluice.controllers.queueing.invariants;

import org.jspecify.annotations.NullMarked;
