/** Kinds of KWOK, whose objects describe what simulated nodes and pods do. */
@NullMarked
package dev.sluice.model.kwok;

import org.jspecify.annotations.NullMarked;
