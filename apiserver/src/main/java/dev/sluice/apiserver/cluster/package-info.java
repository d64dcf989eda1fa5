/** The world of controllers that run beside the embedded server, or in a simulation. */
@NullMarked
package dev.sluice.apiserver.cluster;

import org.jspecify.annotations.NullMarked;
