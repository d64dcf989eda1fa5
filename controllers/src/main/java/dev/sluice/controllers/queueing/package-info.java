/** Kueue's controllers: jobs become workloads, workloads are admitted, admitted jobs start. */
@NullMarked
package dev.sluice.controllers.queueing;

import org.jspecify.annotations.NullMarked;
