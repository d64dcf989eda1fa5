package dev.sluice.controllers.jobsets;

import dev.sluice.model.ValidationErrors;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * What may change in a JobSet: while it is suspended, before or after the change, where its pods
 * run and how they are labelled. The rest of its replicated jobs stays, as does its controller.
 */
final class JobSetUpdates {
  private static final List<List<String>> PLACEMENT =
      List.of(
          List.of("metadata", "labels"),
          List.of("metadata", "annotations"),
          List.of("spec", "nodeSelector"),
          List.of("spec", "tolerations"),
          List.of("spec", "schedulingGates"));

  private JobSetUpdates() {}

  static void check(JobSet before, JobSet after, ValidationErrors problems) {
    problems.immutable(
        "spec.managedBy",
        before.object().spec().text("managedBy"),
        after.object().spec().text("managedBy"));
    boolean placeable = before.isSuspended() || after.isSuspended();
    if (!fixed(before, placeable).equals(fixed(after, placeable))) {
      problems.invalid(
          "spec.replicatedJobs",
          placeable
              ? "field is immutable, but for the labels, annotations, nodeSelector, tolerations and"
                  + " schedulingGates of pod templates"
              : "field is immutable; a suspended JobSet may change where its pods run");
    }
  }

  private static List<Tree> fixed(JobSet set, boolean placeable) {
    return set.replicatedJobs().stream()
        .map(ReplicatedJob::tree)
        .map(tree -> placeable ? withoutPlacement(tree) : tree)
        .toList();
  }

  private static Tree withoutPlacement(Tree replicatedJob) {
    List<String> path = List.of("template", "spec", "template");
    Tree template = replicatedJob.tree(path.toArray(String[]::new));
    for (List<String> field : PLACEMENT) {
      template = template.without(field);
    }
    if (template.tree("metadata").isEmpty()) {
      template = template.without("metadata");
    }
    return replicatedJob.with(path, template);
  }
}
