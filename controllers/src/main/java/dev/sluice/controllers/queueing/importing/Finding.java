package dev.sluice.controllers.queueing.importing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.Workload;
import java.util.Optional;
import java.util.SortedSet;

/** How a pod stands towards an import. */
sealed interface Finding {

  /** A rule leaves it out, or a queue counts it already. */
  record Skipped() implements Finding {}

  /** Everything that an import writes is there. */
  record Imported() implements Finding {}

  /**
   * Something is to be written.
   *
   * @param pod with its new labels
   * @param workload its own; without a revision if it is still to be created
   * @param grant what the workload is still to be given; empty if it is admitted
   */
  record Ready(ApiObject pod, Workload workload, Optional<Grant> grant) implements Finding {}

  /**
   * What a workload gets.
   *
   * @param checks the admission checks that it needs not wait for, since it runs
   */
  record Grant(Admission admission, SortedSet<String> checks) {}

  /** Somebody has to mend something first. */
  record Problem(String message) implements Finding {}

  /** It has just been imported. */
  record Written() implements Finding {}

  /** Somebody else's write came between ours. */
  record Overtaken() implements Finding {}
}
