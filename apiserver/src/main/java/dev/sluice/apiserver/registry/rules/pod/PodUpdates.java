package dev.sluice.apiserver.registry.rules.pod;

import static dev.sluice.apiserver.registry.rules.Edits.asIn;
import static dev.sluice.apiserver.registry.rules.Edits.eachAsIn;

import dev.sluice.model.SemanticEquality;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The allowed changes of a pod's spec: images, a shorter deadline, more tolerations, fewer
 * scheduling gates, and, while the pod is gated, a narrower node selector or affinity.
 */
public final class PodUpdates {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> NODE_AFFINITY = List.of("affinity", "nodeAffinity");

  private PodUpdates() {}

  static void check(Tree before, Tree after, ValidationErrors problems) {
    if (SemanticEquality.holds(before, after)) {
      return;
    }
    checkDeadline(before, after, problems);
    checkTolerations(before, after, problems);
    checkGates(before, after, problems);
    boolean gated = !before.trees("schedulingGates").isEmpty();
    if (gated) {
      checkNarrowed(before, after, problems);
    }
    if (!SemanticEquality.holds(before, withMutableParts(before, after, gated))) {
      problems.forbidden(
          "spec",
          "of a pod, only the images of its containers, activeDeadlineSeconds, tolerations (more),"
              + " terminationGracePeriodSeconds (1, if it was negative) and schedulingGates (fewer)"
              + " can be changed; replace the pod to change anything else");
    }
  }

  /** The new spec with all mutable fields taken from the old one. */
  private static Tree withMutableParts(Tree before, Tree after, boolean gated) {
    Tree same = after;
    for (String name : List.of("activeDeadlineSeconds", "tolerations", "schedulingGates")) {
      same = asIn(before, same, name);
    }
    if (before.whole("terminationGracePeriodSeconds").orElse(0) < 0
        && after.whole("terminationGracePeriodSeconds").orElse(0) == 1) {
      same = asIn(before, same, "terminationGracePeriodSeconds");
    }
    for (String name : List.of("containers", "initContainers")) {
      same = eachAsIn(before, same, name, "image");
    }
    if (gated) {
      same = withNodeAffinityOf(before, asIn(before, same, "nodeSelector"));
    }
    return same;
  }

  /**
   * The new spec with the old node affinity, also if the whole affinity was added or removed for
   * it.
   */
  public static Tree withNodeAffinityOf(Tree before, Tree after) {
    Tree same = after.without(NODE_AFFINITY);
    if (before.at("affinity", "nodeAffinity") instanceof Tree affinity) {
      return same.with(NODE_AFFINITY, affinity);
    }
    boolean bare = same.tree("affinity").isEmpty();
    return bare ? asIn(before, same, "affinity") : same;
  }

  private static void checkDeadline(Tree before, Tree after, ValidationErrors problems) {
    OptionalLong old = before.whole("activeDeadlineSeconds");
    OptionalLong current = after.whole("activeDeadlineSeconds");
    if (old.isPresent() && (current.isEmpty() || current.getAsLong() > old.getAsLong())) {
      problems.invalid(
          "spec.activeDeadlineSeconds",
          current.isPresent() ? current.getAsLong() : "",
          "must be less than or equal to previous value " + old.getAsLong());
    }
  }

  private static void checkTolerations(Tree before, Tree after, ValidationErrors problems) {
    if (!withoutSeconds(after).containsAll(withoutSeconds(before))) {
      problems.forbidden(
          "spec.tolerations",
          "existing tolerations must stay; only their tolerationSeconds may change");
    }
  }

  private static List<Tree> withoutSeconds(Tree spec) {
    return spec.trees("tolerations").stream()
        .map(toleration -> toleration.without("tolerationSeconds"))
        .toList();
  }

  private static void checkGates(Tree before, Tree after, ValidationErrors problems) {
    List<Tree> old = before.trees("schedulingGates");
    for (Tree gate : after.trees("schedulingGates")) {
      if (!old.contains(gate)) {
        problems.forbidden(
            "spec.schedulingGates",
            "only deletion is allowed, but found new scheduling gate '" + gate.text("name") + "'");
      }
    }
  }

  private static void checkNarrowed(Tree before, Tree after, ValidationErrors problems) {
    var wanted = after.texts("nodeSelector");
    boolean kept =
        before.texts("nodeSelector").entrySet().stream()
            .allMatch(label -> label.getValue().equals(wanted.get(label.getKey())));
    if (!kept) {
      problems.invalid(
          "spec.nodeSelector",
          after.tree("nodeSelector"),
          "only additions are allowed (no mutations or deletions)");
    }
    List<Tree> old = requiredTerms(before);
    List<Tree> current = requiredTerms(after);
    if (!old.isEmpty() && !narrows(old, current)) {
      problems.invalid(
          "spec.affinity.nodeAffinity." + REQUIRED + ".nodeSelectorTerms",
          Items.of(current),
          "only additions to the expressions of the existing terms are allowed");
    }
  }

  private static List<Tree> requiredTerms(Tree spec) {
    return spec.trees("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms");
  }

  private static boolean narrows(List<Tree> old, List<Tree> current) {
    if (old.size() != current.size()) {
      return false;
    }
    Optional<Tree> widened = Optional.empty();
    for (int i = 0; i < old.size() && widened.isEmpty(); i++) {
      Tree term = current.get(i);
      boolean narrower =
          term.trees("matchExpressions").containsAll(old.get(i).trees("matchExpressions"))
              && term.trees("matchFields").containsAll(old.get(i).trees("matchFields"));
      widened = narrower ? widened : Optional.of(term);
    }
    return widened.isEmpty();
  }
}
