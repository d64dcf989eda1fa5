package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Controller.Outcome;
import java.util.Optional;

/** One step of a pass over a workload. */
interface WorkloadStep {

  /**
   * Acts on the workload if it is due, with at most one write.
   *
   * @return empty if nothing was due and the next step runs
   */
  Optional<Outcome> take(Workload workload);
}
