package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.runtime.Cluster;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Which checks a workload must pass in a queue. */
public final class RequiredChecks {
  private final Cluster cluster;

  public RequiredChecks(Cluster cluster) {
    this.cluster = cluster;
  }

  /** With quota reserved: those for one of the assigned flavors, and those for all. */
  public SortedSet<String> of(Admission admission) {
    Set<String> assigned = new HashSet<>();
    admission.assignments().forEach(one -> assigned.addAll(one.flavors().values()));
    return names(
        queue(admission.clusterQueue()), flavors -> flavors.stream().anyMatch(assigned::contains));
  }

  /** Before that: only those that are for every flavor of the queue. */
  public SortedSet<String> of(String clusterQueue) {
    Optional<ClusterQueue> queue = queue(clusterQueue);
    Set<String> all = new HashSet<>();
    queue.ifPresent(found ->
        found.resourceGroups().stream()
            .flatMap(group -> group.flavors().stream())
            .forEach(flavor -> all.add(flavor.name())));
    return names(queue, flavors -> flavors.containsAll(all));
  }

  private Optional<ClusterQueue> queue(String name) {
    return cluster.get(Kinds.CLUSTER_QUEUE.key(name)).map(ClusterQueue::new);
  }

  private static SortedSet<String> names(
      Optional<ClusterQueue> queue, Predicate<Collection<String>> concerned) {
    SortedMap<String, List<String>> checks =
        queue.map(ClusterQueue::admissionChecks).orElseGet(TreeMap::new);
    var names = new TreeSet<String>();
    checks.forEach((name, flavors) -> {
      if (flavors.isEmpty() || concerned.test(flavors)) {
        names.add(name);
      }
    });
    return names;
  }
}
