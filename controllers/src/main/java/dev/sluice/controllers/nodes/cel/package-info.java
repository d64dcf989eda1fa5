/** Expressions in CEL, with the functions that KWOK adds, for stages, usage and metrics. */
@NullMarked
package dev.sluice.controllers.nodes.cel;

import org.jspecify.annotations.NullMarked;
