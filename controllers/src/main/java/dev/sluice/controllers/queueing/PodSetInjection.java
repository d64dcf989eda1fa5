package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.Assignment;
import dev.sluice.model.kueue.Workload.PodSet;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Brings what a workload was given into the pod templates, so that pods go where the quota is. */
final class PodSetInjection {
  private PodSetInjection() {}

  /** The workload's pod sets with the labels, node selectors and tolerations of its flavors. */
  static List<PodSet> inject(Cluster cluster, Workload workload, Workload.Admission admission) {
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
    Tree template =
        podSet.template().with(List.of("metadata", "labels", KueueNames.POD_SET), podSet.name());
    SortedSet<String> names = new TreeSet<>(assignment.flavors().values());
    for (String name : names) {
      var flavor = cluster.get(Kinds.RESOURCE_FLAVOR.key(name)).map(ResourceFlavor::new);
      if (flavor.isPresent()) {
        template = inject(template, flavor.get());
      }
    }
    return new PodSet(podSet.name(), assignment.count(), template);
  }

  private static Tree inject(Tree template, ResourceFlavor flavor) {
    Tree changed = template;
    for (var label : flavor.nodeLabels().entrySet()) {
      changed = changed.with(List.of("spec", "nodeSelector", label.getKey()), label.getValue());
    }
    if (flavor.tolerations().isEmpty()) {
      return changed;
    }
    var tolerations = new ArrayList<>(changed.trees("spec", "tolerations"));
    flavor.tolerations().stream()
        .filter(toleration -> !tolerations.contains(toleration))
        .forEach(tolerations::add);
    return changed.with(List.of("spec", "tolerations"), Items.of(tolerations));
  }
}
