/** The port to a world, the controller loop, and the two drivers that turn it. */
@NullMarked
package dev.sluice.runtime;

import org.jspecify.annotations.NullMarked;
