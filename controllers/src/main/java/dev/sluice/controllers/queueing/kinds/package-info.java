/** The kinds of jobs that are queued besides Jobs and pods, a class each. */
@NullMarked
package dev.sluice.controllers.queueing.kinds;

import org.jspecify.annotations.NullMarked;
