/** Typed views of nodes, taints, tolerations and node affinity. */
@NullMarked
package dev.sluice.model.core.node;

import org.jspecify.annotations.NullMarked;
