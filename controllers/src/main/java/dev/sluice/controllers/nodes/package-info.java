/** Nodes that exist only as objects, and the pods that pretend to run on them. */
@NullMarked
package dev.sluice.controllers.nodes;

import org.jspecify.annotations.NullMarked;
