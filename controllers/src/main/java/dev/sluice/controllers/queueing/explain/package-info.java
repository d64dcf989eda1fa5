/** The state of jobs and workloads in words: from a job that has no Workload yet to its end. */
@NullMarked
package dev.sluice.controllers.queueing.explain;

import org.jspecify.annotations.NullMarked;
