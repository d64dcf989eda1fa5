/**
 * Nodes and what becomes of their pods: nodes that exist only as objects, with KWOK's stages; the
 * leases, conditions and taints by which nodes are known to be well; and who must leave them.
 */
@NullMarked
package dev.sluice.controllers.nodes;

import org.jspecify.annotations.NullMarked;
