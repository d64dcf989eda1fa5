/**
 * The port to a world, the controller loop, and the two drivers that turn it; and the ports between
 * an API server and the code that completes, computes or runs what it serves.
 */
@NullMarked
package dev.sluice.runtime;

import org.jspecify.annotations.NullMarked;
