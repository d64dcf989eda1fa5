/**
 * Which node a pod goes to, as Kubernetes' default scheduler decides it: filters, scores,
 * preemption, and the queue of the pods that wait.
 */
@NullMarked
package dev.sluice.engine.scheduling;

import org.jspecify.annotations.NullMarked;
