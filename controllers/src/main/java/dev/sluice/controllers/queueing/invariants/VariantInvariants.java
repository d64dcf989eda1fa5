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

/** The promises of queueing about workloads that are queued as several variants. */
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
        .filter(one -> one.parent().isPresent() && !one.finished())
        .forEach(one ->
            byParent.computeIfAbsent(one.parent().get().uid(), _ -> new ArrayList<>()).add(one));
    return byParent;
  }

  /** What a parent was given is held by one of its variants, as long as its job may run on it. */
  List<String> mirrored() {
    SortedMap<String, List<Workload>> variants = byParent();
    return cluster.list(Kinds.WORKLOAD).stream()
        .map(Workload::new)
        .filter(one -> one.isParent() && !one.finished() && one.admission().isPresent())
        .filter(one -> !one.object().isDeleting() || one.object().hasFinalizer(KueueNames.IN_USE))
        .filter(one ->
            variants.getOrDefault(one.object().uid(), List.of()).stream()
                .noneMatch(variant -> variant.admission().equals(one.admission())))
        .map(one ->
            "Workload %s was given what none of its variants holds".formatted(one.object().path()))
        .toList();
  }

  /** Of several variants one is admitted. */
  List<String> oneRuns() {
    var broken = new ArrayList<String>();
    byParent()
        .values()
        .forEach(variants -> {
          List<String> running =
              variants.stream()
                  .filter(one -> one.admitted() && !one.status().holds(WorkloadStatus.EVICTED))
                  .map(one -> one.object().path())
                  .toList();
          if (running.size() > 1) {
            broken.add("more than one variant of a workload is admitted: " + running);
          }
        });
    return broken;
  }
}
