package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.core.PodTemplate;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Brings what a workload was given into the pod templates, so that pods go where the quota is. */
final class PodSetInjection {
  private PodSetInjection() {}

  /** The workload's pod sets with the labels, node selectors and tolerations of its flavors. */
  static List<PodSet> inject(Cluster cluster, Workload workload, Admission admission) {
    return workload.podSets().stream()
        .map(podSet ->
            admission.assignments().stream()
                .filter(assignment -> assignment.podSet().equals(podSet.name()))
                .findFirst()
                .map(assignment -> inject(cluster, podSet, assignment))
                .orElse(podSet))
        .toList();
  }

  private static PodSet inject(Cluster cluster, PodSet podSet, Assignment assignment) {
    PodTemplate template = podSet.template().withLabel(KueueNames.POD_SET, podSet.name());
    SortedSet<String> names = new TreeSet<>(assignment.flavors().values());
    for (String name : names) {
      var flavor = cluster.get(Kinds.RESOURCE_FLAVOR.key(name)).map(ResourceFlavor::new);
      if (flavor.isPresent()) {
        template =
            template
                .selectingNodes(flavor.get().nodeLabels())
                .tolerating(flavor.get().tolerations());
      }
    }
    return PodSet.of(podSet.name(), assignment.count(), template);
  }
}
