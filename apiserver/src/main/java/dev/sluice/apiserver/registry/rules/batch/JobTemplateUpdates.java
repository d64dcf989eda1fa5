package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.rules.Edits.asIn;
import static dev.sluice.apiserver.registry.rules.Edits.eachAsIn;

import dev.sluice.apiserver.registry.rules.pod.PodUpdates;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.SemanticEquality;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The allowed changes of a Job's pod template: none while it runs; scheduling directives and
 * resources while it is suspended and has no active pods. Queueing depends on that: it sets the
 * nodes of a Job before it starts it.
 */
final class JobTemplateUpdates {
  private JobTemplateUpdates() {}

  static void check(ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree old = before.spec().tree("template");
    Tree current = after.spec().tree("template");
    if (SemanticEquality.holds(old, current)) {
      return;
    }
    if (!steerable(before)) {
      problems.invalid("spec.template", current, "field is immutable");
    } else if (!SemanticEquality.holds(old, withMutableParts(old, current))) {
      problems.invalid(
          "spec.template.spec",
          current.tree("spec"),
          "field is immutable, but for what steers the pods of a suspended job: nodeSelector,"
              + " tolerations, schedulingGates, nodeAffinity and the resources of containers");
    }
  }

  /** Whether the Job, before the update, was suspended without active pods. */
  private static boolean steerable(ApiObject job) {
    Tree status = job.status();
    boolean stopped = !status.has("startTime") || Condition.holds(status, "Suspended");
    return job.spec().flag("suspend") && stopped && status.whole("active").orElse(0) == 0;
  }

  private static Tree withMutableParts(Tree old, Tree current) {
    Tree metadata = current.tree("metadata");
    for (String name : List.of("labels", "annotations")) {
      metadata = asIn(old.tree("metadata"), metadata, name);
    }
    Tree oldSpec = old.tree("spec");
    Tree spec = current.tree("spec");
    for (String name : List.of("nodeSelector", "tolerations", "schedulingGates")) {
      spec = asIn(oldSpec, spec, name);
    }
    for (String name : List.of("containers", "initContainers")) {
      spec = eachAsIn(oldSpec, spec, name, "resources");
    }
    spec = PodUpdates.withNodeAffinityOf(oldSpec, spec);
    Tree same = current.with("spec", spec);
    boolean bare = metadata.isEmpty() && !old.has("metadata");
    return bare ? same.without("metadata") : same.with("metadata", metadata);
  }
}
