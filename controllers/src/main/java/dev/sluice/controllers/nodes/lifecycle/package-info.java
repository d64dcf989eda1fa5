/**
 * The health of nodes: lost nodes, taints by condition, and the eviction of pods from tainted
 * nodes.
 */
@NullMarked
package dev.sluice.controllers.nodes.lifecycle;

import org.jspecify.annotations.NullMarked;
