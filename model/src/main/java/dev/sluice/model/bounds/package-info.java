/** Bounds on the work that expressions of users may cause: steps that are counted, and patterns. */
@NullMarked
package dev.sluice.model.bounds;

import org.jspecify.annotations.NullMarked;
