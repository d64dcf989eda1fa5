/** The promises of queueing, as code that looks for where they are broken. */
@NullMarked
package dev.sluice.controllers.queueing.invariants;

import org.jspecify.annotations.NullMarked;
