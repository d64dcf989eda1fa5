package dev.sluice.controllers.queueing.visibility;

import dev.sluice.engine.admission.Explanation;
import dev.sluice.engine.admission.Explanation.FlavorFindings;
import dev.sluice.engine.admission.Explanation.Holder;
import dev.sluice.engine.admission.Explanation.Limit;
import dev.sluice.engine.admission.Explanation.NoPreemption.Obstacle;
import dev.sluice.engine.admission.Explanation.PodSetFindings;
import dev.sluice.engine.admission.Explanation.Shortage;
import dev.sluice.engine.admission.Explanation.State;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.model.Amounts;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An explanation as the field {@code explanation} of an item of the visibility API.
 *
 * <p>A user with access to one namespace sees how many workloads of other namespaces are ahead and
 * how much quota other queues use, but not the names of those workloads.
 */
final class ExplanationTree {
  private ExplanationTree() {}

  /**
   * @param mayName the namespaces whose workloads the user may see by name
   */
  static Tree of(Explanation explanation, Predicate<String> mayName) {
    Tree position = position(explanation, mayName);
    return explanation
        .preemption()
        .map(found ->
            position.with(
                "preemption",
                Tree.of("obstacle", word(found.obstacle()), "candidates", found.candidates())))
        .orElse(position);
  }

  private static Tree position(Explanation explanation, Predicate<String> mayName) {
    return Tree.of(
        "standing",
        word(explanation.state()),
        "clusterQueue",
        explanation.workload().clusterQueue(),
        "ahead",
        explanation.ahead(),
        "firstAhead",
        named(explanation.firstAhead(), mayName),
        "podSets",
        items(explanation.podSets(), ExplanationTree::podSet),
        "waitsFor",
        items(
            explanation.waitsFor().stream()
                .filter(target -> mayName.test(target.victim().namespace()))
                .toList(),
            ExplanationTree::victim),
        "givingWay",
        explanation.waitsFor().size(),
        "blocked",
        explanation.blocked(),
        "firstBlocked",
        named(explanation.firstBlocked(), mayName));
  }

  private static Items named(List<String> paths, Predicate<String> mayName) {
    return Items.of(
        paths.stream().filter(path -> mayName.test(path.substring(0, path.indexOf('/')))).toList());
  }

  private static <T> Items items(List<T> values, Function<T, Tree> tree) {
    return Items.of(values.stream().map(tree).toList());
  }

  private static Tree podSet(PodSetFindings findings) {
    return Tree.of(
        "name",
        findings.podSet(),
        "uncovered",
        texts(findings.uncovered()),
        "flavors",
        items(findings.flavors(), ExplanationTree::flavor));
  }

  private static Items texts(List<NoFitReason> reasons) {
    return Items.of(reasons.stream().map(NoFitReason::text).toList());
  }

  private static Tree flavor(FlavorFindings findings) {
    return Tree.of(
        "name",
        findings.flavor(),
        "fits",
        findings.fits(),
        "obstacles",
        texts(findings.obstacles()),
        "shortages",
        items(findings.shortages(), ExplanationTree::shortage));
  }

  private static Tree shortage(Shortage shortage) {
    String resource = shortage.flavorResource().resource();
    return Tree.of(
            "resource",
            resource,
            "requested",
            quantity(resource, shortage.requested()),
            "missing",
            quantity(resource, shortage.missing()),
            "capacity",
            quantity(resource, shortage.capacity()))
        .with("limit", word(shortage.limit()))
        .with("node", shortage.node())
        .with("holders", items(shortage.holders(), holder -> holder(resource, holder)))
        .with("others", quantity(resource, shortage.others()));
  }

  private static Tree holder(String resource, Holder holder) {
    return Tree.of(
        "clusterQueue",
        holder.queue(),
        "amount",
        quantity(resource, holder.amount()),
        "workloads",
        holder.workloads());
  }

  private static String quantity(String resource, long amount) {
    return Amounts.quantity(resource, amount).toString();
  }

  private static Tree victim(Target target) {
    return Tree.of("workload", target.victim().path(), "reason", target.cause().word());
  }

  private static String word(State state) {
    return switch (state) {
      case NO_QUEUE -> "NoQueue";
      case QUEUE_INACTIVE -> "QueueInactive";
      case NAMESPACE_MISMATCH -> "NotServed";
      case MISCONFIGURED -> "Misconfigured";
      case BACKING_OFF -> "Resting";
      case PENDING -> "InLine";
      case INADMISSIBLE -> "Parked";
      case PREEMPTING -> "Preempting";
    };
  }

  private static String word(Obstacle obstacle) {
    return switch (obstacle) {
      case POLICY_NEVER -> "PolicyNever";
      case GATED -> "Gated";
      case NO_CANDIDATES -> "NoCandidates";
      case TOO_LITTLE -> "TooLittle";
    };
  }

  private static String word(Limit limit) {
    return switch (limit) {
      case QUEUE_QUOTA -> "QueueQuota";
      case BORROWING_LIMIT -> "BorrowingLimit";
      case COHORT_QUOTA -> "CohortQuota";
    };
  }
}
