/** Shows who waits in which queue, at which place, and why. */
@NullMarked
package dev.sluice.controllers.queueing.visibility;

import org.jspecify.annotations.NullMarked;
