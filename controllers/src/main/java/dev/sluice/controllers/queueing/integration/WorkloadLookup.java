package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.kueue.Workload;

/** The result of the search for a job's workload. */
sealed interface WorkloadLookup {

  /** The workload of the job. */
  record One(Workload workload) implements WorkloadLookup {}

  /** The job has no workload. */
  record None() implements WorkloadLookup {}

  /** Something must happen first; an event about it enqueues the job again. */
  record NotYet() implements WorkloadLookup {}
}
