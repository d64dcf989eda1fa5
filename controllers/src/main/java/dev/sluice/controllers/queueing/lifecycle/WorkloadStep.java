package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Controller.Outcome;
import java.util.Optional;

/** One thing that may be due in the life of a workload. */
interface WorkloadStep {

  /**
   * Does what is due, with at most one write.
   *
   * @return empty if nothing was due and the next step is to be looked at
   */
  Optional<Outcome> take(Workload workload);
}
