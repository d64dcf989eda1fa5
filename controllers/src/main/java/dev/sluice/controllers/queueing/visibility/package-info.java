/**
 * The visibility API: the pending workloads of each queue, their positions, and why they are
 * pending.
 */
@NullMarked
package dev.sluice.controllers.queueing.visibility;

import org.jspecify.annotations.NullMarked;
