package dev.sluice.controllers.queueing.explain;

import dev.sluice.controllers.queueing.visibility.WorkloadSummary;
import dev.sluice.model.tree.Tree;
import java.util.Optional;

/**
 * The explanation of one job or workload.
 *
 * @param item the item of the visibility API, if the workload is pending in a queue
 * @param unknown why its position is not known although it should be, and what helps; empty if
 *     nothing is missing
 */
public record Explained(WorkloadSummary summary, Optional<Tree> item, String unknown) {

  static Explained of(WorkloadSummary summary) {
    return new Explained(summary, Optional.empty(), "");
  }

  /** The explanation as an object. */
  public Tree tree() {
    return item.map(found -> summary.tree().with("pending", found)).orElseGet(summary::tree);
  }
}
