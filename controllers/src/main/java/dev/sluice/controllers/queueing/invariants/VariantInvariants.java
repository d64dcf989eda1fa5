package dev.sluice.controllers.queueing.invariants;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The invariants of concurrent admission, about parents and their variants. */
final class VariantInvariants {
  private final Cluster cluster;

  VariantInvariants(Cluster cluster) {
    this.cluster = cluster;
  }

  /** The unfinished variants by the uids of their parents. */
  private SortedMap<String, List<Workload>> byParent() {
    var byParent = new TreeMap<String, List<Workload>>();
    cluster.list(Kinds.WORKLOAD).stream()
        .map(Workload::new)
        .filter(workload -> workload.parent().isPresent() && !workload.finished())
        .forEach(variant ->
            byParent
                .computeIfAbsent(variant.parent().get().uid(), _ -> new ArrayList<>())
                .add(variant));
    return byParent;
  }

  /** The admission of a parent is that of one of its variants, as long as its job may run. */
  List<String> mirrored() {
    SortedMap<String, List<Workload>> variants = byParent();
    return cluster.list(Kinds.WORKLOAD).stream()
        .map(Workload::new)
        .filter(workload ->
            workload.isParent() && !workload.finished() && workload.admission().isPresent())
        .filter(parent ->
            !parent.object().isDeleting() || parent.object().hasFinalizer(KueueNames.IN_USE))
        .filter(parent ->
            variants.getOrDefault(parent.object().uid(), List.of()).stream()
                .noneMatch(variant -> variant.admission().equals(parent.admission())))
        .map(parent ->
            "Workload %s was given what none of its variants holds"
                .formatted(parent.object().path()))
        .toList();
  }

  /** At most one variant of a workload is admitted. */
  List<String> oneAdmitted() {
    var breaches = new ArrayList<String>();
    byParent()
        .values()
        .forEach(variants -> {
          List<String> running =
              variants.stream()
                  .filter(variant ->
                      variant.admitted() && !variant.status().holds(WorkloadStatus.EVICTED))
                  .map(variant -> variant.object().path())
                  .toList();
          if (running.size() > 1) {
            breaches.add("more than one variant of a workload is admitted: " + running);
          }
        });
    return breaches;
  }
}
