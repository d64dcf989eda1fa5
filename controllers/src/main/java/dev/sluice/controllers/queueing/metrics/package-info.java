/** The metrics of queues and workloads for Prometheus, under Kueue's names. */
@NullMarked
package dev.sluice.controllers.queueing.metrics;

import org.jspecify.annotations.NullMarked;
