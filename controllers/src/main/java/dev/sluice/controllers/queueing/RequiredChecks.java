package dev.sluice.controllers.queueing;

import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The admission checks that a workload must pass in a ClusterQueue. */
public final class RequiredChecks {
  private RequiredChecks() {}

  /**
   * The names of the checks: those of the assigned flavors or, without an admission, those that
   * apply to all flavors of the queue.
   */
  public static SortedSet<String> of(ClusterQueue queue, Optional<Admission> admission) {
    SortedMap<String, List<String>> checks = queue.admissionChecks();
    if (checks.isEmpty()) {
      return Collections.emptySortedSet();
    }
    var required = new TreeSet<String>();
    var flavors = admission.map(RequiredChecks::assigned).orElseGet(() -> all(queue));
    checks.forEach((check, onFlavors) -> {
      boolean applies =
          admission.isPresent()
              ? !Collections.disjoint(onFlavors, flavors)
              : onFlavors.containsAll(flavors);
      if (onFlavors.isEmpty() || applies) {
        required.add(check);
      }
    });
    return required;
  }

  private static SortedSet<String> assigned(Admission admission) {
    var flavors = new TreeSet<String>();
    admission.assignments().forEach(assignment -> flavors.addAll(assignment.flavors().values()));
    return flavors;
  }

  private static SortedSet<String> all(ClusterQueue queue) {
    var flavors = new TreeSet<String>();
    for (ResourceGroup group : queue.resourceGroups()) {
      group.flavors().forEach(flavor -> flavors.add(flavor.name()));
    }
    return flavors;
  }

  /**
   * The status with exactly the required checks. The states that check controllers wrote are kept;
   * a status that has the required checks is returned unchanged.
   */
  public static WorkloadStatus sync(
      WorkloadStatus status, SortedSet<String> required, Instant now) {
    var present = new TreeMap<String, CheckState>();
    status.admissionChecks().forEach(check -> present.put(check.name(), check));
    if (present.keySet().equals(required)) {
      return status;
    }
    var synced = new ArrayList<CheckState>();
    for (String name : required) {
      synced.add(present.containsKey(name) ? present.get(name) : CheckState.pending(name, now));
    }
    return status.withAdmissionChecks(synced);
  }
}
