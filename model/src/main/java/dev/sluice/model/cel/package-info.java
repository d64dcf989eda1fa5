/** The runtime of CEL expressions, which counts their steps before it takes them. */
@NullMarked
package dev.sluice.model.cel;

import org.jspecify.annotations.NullMarked;
