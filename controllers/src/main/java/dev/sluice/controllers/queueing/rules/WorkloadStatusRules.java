package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.SortedMap;
import java.util.TreeMap;

/** The validation of the status of workloads. */
final class WorkloadStatusRules {
  private WorkloadStatusRules() {}

  static void check(ApiObject workload, ValidationErrors problems) {
    SortedMap<String, Integer> counts = counts(workload);
    ReservationRules.check(workload, counts, problems);
    ReclaimableRules.check(workload, counts, problems);
    CheckStateRules.check(workload, counts.keySet(), problems);
  }

  static void checkChange(ApiObject before, ApiObject after, ValidationErrors problems) {
    ReservationRules.checkChange(before, after, problems);
    boolean held = new Workload(before).reserved() && new Workload(after).reserved();
    if (held && !after.annotation(KueueNames.ELASTIC_JOB).equals("true")) {
      ReclaimableRules.checkChange(before, after, counts(after), problems);
    }
    CheckStateRules.checkChange(before, after, problems);
    checkClusterName(before, after, problems);
  }

  /** The count of each pod set. */
  private static SortedMap<String, Integer> counts(ApiObject workload) {
    var counts = new TreeMap<String, Integer>();
    for (PodSet podSet : new Workload(workload).podSets()) {
      counts.put(podSet.name(), podSet.count());
    }
    return counts;
  }

  /**
   * A workload is assigned to a cluster that was nominated for it, and stays there until it is
   * evicted.
   */
  private static void checkClusterName(
      ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree old = before.status();
    String name = after.status().text("clusterName");
    if (name.isEmpty() || name.equals(old.text("clusterName"))) {
      return;
    }
    String field = "status.clusterName";
    if (old.at("clusterName") != Value.Null.NULL) {
      problems.immutable(field, old.text("clusterName"), name);
    } else if (!MetadataRules.hasAnnotation(after, KueueNames.SLICE_REPLACEMENT_FOR)
        && !old.textItems("nominatedClusterNames").contains(name)) {
      problems.invalid(field, name, "must be one of the nominatedClusterNames");
    }
  }
}
