package dev.sluice.engine.admission;

import dev.sluice.engine.flavor.Mode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the specification gives a workload that nobody competes with: it is looked at cycle by
 * cycle, each going on behind the flavor at which the one before stopped, and with fewer pods where
 * all of them find no place.
 */
final class SpelledHead {
  private final SpelledWorld world;
  private final QueueSpec queue;
  private final PendingWorkload workload;

  SpelledHead(SpelledWorld world, QueueSpec queue, PendingWorkload workload) {
    this.world = world;
    this.queue = queue;
    this.workload = workload;
  }

  /** An assignment, and who must give way for it. */
  private record Attempt(
      List<PodSetRequest> podSets, SpelledAssignment.Found found, List<Target> targets) {

    boolean works() {
      return found.grade().mode() == Mode.FIT || !targets.isEmpty();
    }

    String told() {
      if (found.grade().mode() != Mode.FIT) {
        String told =
            targets.stream()
                .filter(one -> !one.victim().evicted())
                .map(one -> one.victim().name() + " (" + one.cause().word() + ")")
                .collect(Collectors.joining(", "));
        return told.isEmpty() ? "waits" : "evicts: " + told;
      }
      var told = new ArrayList<String>();
      for (int i = 0; i < podSets.size(); i++) {
        // Only the flavors: the grades are compared elsewhere.
        String flavors = found.podSets().get(i).replaceAll("/[A-Z_]+/[0-9]+", "");
        told.add(podSets.get(i).count() + " " + flavors);
      }
      return "admitted: " + told;
    }
  }

  /**
   * Pod sets that come to their last flavor in turn would go on forever, as the specification has
   * it; the engine stops once all flavors have been looked at.
   */
  String decision() {
    Map<String, Integer> tried = Map.of();
    int steps = 0;
    do {
      Attempt all = attempt(workload.podSets(), tried);
      Optional<Attempt> works = all.works() ? Optional.of(all) : fewer();
      if (works.isPresent()) {
        return works.get().told();
      }
      tried = all.found().tried();
    } while (!tried.isEmpty() && ++steps <= queue.mostFlavors());
    return "waits";
  }

  private Attempt attempt(List<PodSetRequest> podSets, Map<String, Integer> tried) {
    var sized =
        new PendingWorkload(
            workload.namespace(),
            workload.name(),
            workload.uid(),
            workload.owner(),
            workload.localQueue(),
            workload.clusterQueue(),
            workload.priority(),
            workload.since(),
            podSets,
            workload.replaces(),
            workload.problems());
    SpelledAssignment.Found found =
        new SpelledAssignment(world.quota, world.spelled, queue, sized, true).assign(tried);
    List<Target> targets =
        found.grade().mode().needsPreemption()
            ? world.spelled.targets(sized, new Usage(found.usage()), found.needed())
            : List.of();
    return new Attempt(podSets, found, targets);
  }

  /** The smallest reduction that works, as a search for a lower bound finds it. */
  private Optional<Attempt> fewer() {
    int delta =
        workload.podSets().stream().mapToInt(podSet -> podSet.count() - podSet.least()).sum();
    if (delta == 0) {
      return Optional.empty();
    }
    int low = 0;
    int high = delta + 1;
    var works = new TreeMap<Integer, Attempt>();
    int last = -1;
    while (low < high) {
      int middle = (low + high) / 2;
      Attempt reduced = attempt(reduced(middle, delta), Map.of());
      if (reduced.works()) {
        works.put(middle, reduced);
        last = middle;
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return last == low ? Optional.ofNullable(works.get(low)) : Optional.empty();
  }

  private List<PodSetRequest> reduced(int step, int delta) {
    return workload.podSets().stream()
        .map(podSet ->
            podSet.withCount(podSet.count() - (podSet.count() - podSet.least()) * step / delta))
        .toList();
  }
}
