/** Which flavors a workload's pods get. */
@NullMarked
package dev.sluice.engine.flavor;

import org.jspecify.annotations.NullMarked;
