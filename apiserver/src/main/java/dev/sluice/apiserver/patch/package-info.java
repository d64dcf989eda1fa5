/** Patches as pure functions from a tree and a patch to a tree. */
@NullMarked
package dev.sluice.apiserver.patch;

import org.jspecify.annotations.NullMarked;
