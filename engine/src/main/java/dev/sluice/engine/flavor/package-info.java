/** Flavor assignment: which flavors the pod sets of a workload get. */
@NullMarked
package dev.sluice.engine.flavor;

import org.jspecify.annotations.NullMarked;
