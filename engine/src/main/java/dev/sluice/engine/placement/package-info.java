/** Which nodes, or flavors of nodes, a pod may run on. */
@NullMarked
package dev.sluice.engine.placement;

import org.jspecify.annotations.NullMarked;
