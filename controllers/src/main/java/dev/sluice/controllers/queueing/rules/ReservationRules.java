package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The rules for the admission in a workload's status: it is present while quota is reserved, its
 * usage is divisible by the pod counts of the pod sets, and it is set and removed as a whole. Only
 * topology assignments may change.
 */
final class ReservationRules {
  private static final String FIELD = "status.admission";
  private static final String ASSIGNMENTS = "podSetAssignments";

  private ReservationRules() {}

  static void check(
      ApiObject workload, SortedMap<String, Integer> podSets, ValidationErrors problems) {
    if (!new Workload(workload).reserved()) {
      return;
    }
    if (new Workload(workload).admission().isEmpty()) {
      problems.required(FIELD, "quota is reserved, so it must say which");
      return;
    }
    List<Tree> assignments = workload.status().trees("admission", ASSIGNMENTS);
    for (int i = 0; i < assignments.size(); i++) {
      String at = FIELD + "." + ASSIGNMENTS + "[" + i + "]";
      Tree assignment = assignments.get(i);
      String name = assignment.has("name") ? assignment.text("name") : PodSet.MAIN;
      if (!podSets.containsKey(name)) {
        problems.notFound(at + ".name", name);
      }
      checkUsage(at + ".resourceUsage", assignment, problems);
    }
  }

  /** Usage decreases pod by pod when pods end, so every pod must have the same part of it. */
  private static void checkUsage(String field, Tree assignment, ValidationErrors problems) {
    long count = assignment.whole("count").orElse(0);
    assignment
        .tree("resourceUsage")
        .forEach((resource, value) -> {
          String at = field + "[" + ValidationErrors.cut(resource) + "]";
          Optional<Quantity> quantity = QuantityRules.check(at, value, problems);
          boolean divides =
              count <= 0 || quantity.isEmpty() || Amounts.in(resource, quantity.get()) % count == 0;
          if (!divides) {
            problems.invalid(at, value, "is not a multiple of the count " + count);
          }
        });
  }

  static void checkChange(ApiObject before, ApiObject after, ValidationErrors problems) {
    Optional<Admission> old = new Workload(before).admission();
    Optional<Admission> now = new Workload(after).admission();
    if (old.isPresent() && now.isPresent()) {
      Value previous = withoutTopology(before);
      Value changed = withoutTopology(after);
      problems.immutable(FIELD, previous, changed);
    }
  }

  private static Tree withoutTopology(ApiObject workload) {
    Tree admission = workload.status().tree("admission");
    List<Tree> bare =
        admission.trees(ASSIGNMENTS).stream()
            .map(assignment ->
                assignment.without("topologyAssignment").without("delayedTopologyRequest"))
            .toList();
    return admission.with(ASSIGNMENTS, Items.of(bare));
  }
}
