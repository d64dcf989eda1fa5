package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.kueue.Workload;

/** What a search for a job's workload came to. */
sealed interface WorkloadLookup {

  /** The workload that stands for the job. */
  record One(Workload workload) implements WorkloadLookup {}

  /** There is none. */
  record None() implements WorkloadLookup {}

  /** Something must happen first; the job is looked at again when it has. */
  record NotYet() implements WorkloadLookup {}
}
