/**
 * The cluster port over the embedded server, for controllers in the same process and for
 * simulations.
 */
@NullMarked
package dev.sluice.apiserver.cluster;

import org.jspecify.annotations.NullMarked;
