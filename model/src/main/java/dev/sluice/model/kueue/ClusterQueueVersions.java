package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.Fields.renamed;
import static dev.sluice.model.kueue.Fields.within;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** A ClusterQueue in its two versions. */
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

  /** The word that v1beta1 had for stopping the search, in the place of which both now have one. */
  private static Tree stopping(Tree policy, String field, String oldWord) {
    return policy.text(field).equals(oldWord) ? policy.with(field, "MayStopSearch") : policy;
  }

  /** The plain list of checks becomes part of the strategy, whose entries say more. */
  private static Tree withStrategy(Tree spec) {
    var checks = new ArrayList<>(spec.trees(STRATEGY, CHECKS));
    var named = new LinkedHashSet<String>();
    checks.forEach(check -> named.add(check.text("name")));
    for (String name : spec.textItems(CHECKS)) {
      if (named.add(name)) {
        checks.add(Tree.of("name", name));
      }
    }
    Tree withoutList = spec.without(CHECKS);
    return checks.size() == spec.trees(STRATEGY, CHECKS).size()
        ? withoutList
        : withoutList.with(List.of(STRATEGY, CHECKS), checks);
  }
}
