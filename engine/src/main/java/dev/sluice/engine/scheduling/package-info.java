/**
 * The scheduling of pods to nodes as kube-scheduler does it: filters, scores, preemption, and the
 * scheduling queue.
 */
@NullMarked
package dev.sluice.engine.scheduling;

import org.jspecify.annotations.NullMarked;
