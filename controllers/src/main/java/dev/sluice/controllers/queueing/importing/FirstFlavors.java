package dev.sluice.controllers.queueing.importing;

import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The usage of an imported pod in a ClusterQueue: the first flavor of each resource group, whether
 * or not it has quota left.
 */
record FirstFlavors(ClusterQueue queue) {
  private static final String PODS = "pods";

  /** The resources that the pod requests and the queue does not cover. */
  List<String> uncovered(Amounts demand) {
    SortedMap<String, String> flavors = flavors();
    return demand.byResource().entrySet().stream()
        .filter(need -> need.getValue() > 0 && !flavors.containsKey(need.getKey()))
        .map(need -> need.getKey())
        .toList();
  }

  Admission admission(Amounts demand) {
    SortedMap<String, String> flavors = flavors();
    var usage = new TreeMap<>(demand.byResource());
    if (flavors.containsKey(PODS)) {
      usage.put(PODS, 1L);
    }
    usage.keySet().retainAll(flavors.keySet());
    flavors.keySet().retainAll(usage.keySet());
    return new Admission(
        queue.name(), List.of(new Assignment(PodSet.MAIN, 1, flavors, new Amounts(usage))));
  }

  private SortedMap<String, String> flavors() {
    var flavors = new TreeMap<String, String>();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (String resource : group.coveredResources()) {
        group.flavors().stream()
            .findFirst()
            .ifPresent(first -> flavors.putIfAbsent(resource, first.name()));
      }
    }
    return flavors;
  }
}
