package dev.sluice.controllers.queueing.explain;

import dev.sluice.model.Plural;
import dev.sluice.model.Timestamps;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The admission of a workload in words: since when, and on which flavors. */
final class AdmissionText {
  private AdmissionText() {}

  static List<String> of(Workload workload) {
    var lines = new ArrayList<String>();
    workload
        .status()
        .since(WorkloadStatus.ADMITTED)
        .ifPresent(since -> lines.add("Admitted since " + Timestamps.format(since)));
    workload
        .admission()
        .ifPresent(admission ->
            admission.assignments().forEach(assignment -> lines.add(podSet(assignment))));
    return lines;
  }

  private static String podSet(Assignment assignment) {
    return "Pod set %s: %s on %s"
        .formatted(assignment.podSet(), Plural.of(assignment.count(), "pod"), flavors(assignment));
  }

  /** One flavor for all resources is the usual case, and named once. */
  private static String flavors(Assignment assignment) {
    var byFlavor = new TreeMap<String, TreeSet<String>>();
    assignment
        .flavors()
        .forEach((resource, flavor) ->
            byFlavor.computeIfAbsent(flavor, _ -> new TreeSet<>()).add(resource));
    var parts = new ArrayList<String>();
    byFlavor.forEach((flavor, resources) ->
        parts.add("flavor %s (%s)".formatted(flavor, String.join(", ", resources))));
    return parts.isEmpty() ? "no flavor: it requests nothing" : String.join(", ", parts);
  }
}
