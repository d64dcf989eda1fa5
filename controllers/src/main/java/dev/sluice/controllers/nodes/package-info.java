/**
 * Simulated nodes and their pods, with KWOK's stages; the leases of nodes, and the selection of
 * nodes and pods to simulate.
 */
@NullMarked
package dev.sluice.controllers.nodes;

import org.jspecify.annotations.NullMarked;
