/** Patches of trees that need no schema. */
@NullMarked
package dev.sluice.model.patch;

import org.jspecify.annotations.NullMarked;
