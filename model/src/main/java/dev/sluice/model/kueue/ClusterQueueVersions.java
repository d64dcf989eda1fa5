package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.Fields.renamed;
import static dev.sluice.model.kueue.Fields.within;

import dev.sluice.model.tree.Tree;
import java.util.LinkedHashSet;
import java.util.List;

/** The conversion of a ClusterQueue between its two versions. */
final class ClusterQueueVersions {
  private static final String STRATEGY = "admissionChecksStrategy";
  private static final String CHECKS = "admissionChecks";

  private ClusterQueueVersions() {}

  static Tree toV1beta2(Tree queue) {
    Tree spec = within(queue, "spec", ClusterQueueVersions::specToV1beta2);
    return within(
        spec,
        "status",
        status ->
            KueueConversion.withoutAdmissionFairSharing(status.without("pendingWorkloadsStatus")));
  }

  static Tree toV1beta1(Tree queue) {
    return within(queue, "spec", spec -> renamed(spec, "cohortName", "cohort"));
  }

  private static Tree specToV1beta2(Tree spec) {
    Tree joined = withStrategy(renamed(spec, "cohort", "cohortName"));
    return within(
        joined,
        "flavorFungibility",
        policy ->
            stopping(stopping(policy, "whenCanBorrow", "Borrow"), "whenCanPreempt", "Preempt"));
  }

  /**
   * Replaces the value with which v1beta1 stops the search, which now has one name for both fields.
   */
  private static Tree stopping(Tree policy, String field, String oldWord) {
    return policy.text(field).equals(oldWord) ? policy.with(field, "MayStopSearch") : policy;
  }

  /**
   * The list of checks becomes the strategy. It replaces an existing strategy, which is the one
   * that the earlier list was converted to: v1beta1 shows no other.
   */
  private static Tree withStrategy(Tree spec) {
    List<Tree> checks =
        new LinkedHashSet<>(spec.textItems(CHECKS))
            .stream().map(name -> Tree.of("name", name)).toList();
    Tree withoutList = spec.without(CHECKS);
    return checks.isEmpty() ? withoutList : withoutList.with(List.of(STRATEGY, CHECKS), checks);
  }
}
