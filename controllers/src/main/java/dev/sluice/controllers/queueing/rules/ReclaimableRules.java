package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import java.util.SortedMap;

/**
 * The rules for reclaimable pods: no more than the pod set has, and never fewer than before while
 * quota is reserved, because other workloads may have been admitted with the freed quota. (An
 * elastic job scales down ended pods first, so there the number may decrease.)
 */
final class ReclaimableRules {
  private static final String FIELD = "status.reclaimablePods";

  private ReclaimableRules() {}

  static void check(
      ApiObject workload, SortedMap<String, Integer> podSets, ValidationErrors problems) {
    for (Tree entry : workload.status().trees("reclaimablePods")) {
      String name = entry.text("name");
      long count = entry.whole("count").orElse(0);
      if (!podSets.containsKey(name)) {
        problems.invalid(at(name) + ".name", name, "is not one of the workload's pod sets");
      } else if (count > podSets.get(name)) {
        problems.invalid(
            at(name) + ".count",
            count,
            "must be less than or equal to %d, the count of the pod set"
                .formatted(podSets.get(name)));
      }
    }
  }

  static void checkChange(
      ApiObject before,
      ApiObject after,
      SortedMap<String, Integer> podSets,
      ValidationErrors problems) {
    SortedMap<String, Integer> now = new Workload(after).status().reclaimablePods();
    new Workload(before)
        .status()
        .reclaimablePods()
        .forEach((name, count) -> {
          // A pod set that was scaled down has no more reclaimable pods than pods.
          int minimum = Math.min(count, podSets.getOrDefault(name, 0));
          if (now.containsKey(name) && now.get(name) < minimum) {
            problems.invalid(at(name) + ".count", now.get(name), "cannot be less than " + minimum);
          } else if (!now.containsKey(name) && minimum > 0) {
            problems.required(at(name), "cannot be removed while quota is reserved");
          }
        });
  }

  private static String at(String podSet) {
    return FIELD + "[" + ValidationErrors.cut(podSet) + "]";
  }
}
