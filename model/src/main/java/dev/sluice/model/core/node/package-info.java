/** Typed views of nodes, and of what pods ask of nodes. */
@NullMarked
package dev.sluice.model.core.node;

import org.jspecify.annotations.NullMarked;
