package dev.sluice.controllers.queueing.importing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.Workload;
import java.util.Optional;
import java.util.SortedSet;

/** The state of a pod in an import. */
sealed interface Finding {

  /** A rule skips the pod, or it uses quota already. */
  record Skipped() implements Finding {}

  /** The pod is imported: nothing is left to write. */
  record Imported() implements Finding {}

  /**
   * The pod is to be imported.
   *
   * @param pod the pod with its new labels
   * @param workload its workload; without a resource version if it is still to be created
   * @param grant the admission to write; empty if the workload is admitted
   */
  record Ready(ApiObject pod, Workload workload, Optional<Grant> grant) implements Finding {}

  /**
   * The admission of an imported workload.
   *
   * @param checks the admission checks that become ready at once, since the pod runs
   */
  record Grant(Admission admission, SortedSet<String> checks) {}

  /** A user must solve a problem first. */
  record Problem(String message) implements Finding {}

  /** The pod was imported in this run. */
  record Written() implements Finding {}

  /** Another client changed the pod or its workload meanwhile. */
  record Overtaken() implements Finding {}
}
