/** Who is admitted, with what, and why the others wait. */
@NullMarked
package dev.sluice.engine.admission;

import org.jspecify.annotations.NullMarked;
