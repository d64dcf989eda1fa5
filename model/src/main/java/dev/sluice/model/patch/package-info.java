/** Patches as pure functions from a tree and a patch to a tree. */
@NullMarked
package dev.sluice.model.patch;

import org.jspecify.annotations.NullMarked;
