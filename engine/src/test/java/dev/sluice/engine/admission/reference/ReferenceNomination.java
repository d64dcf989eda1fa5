package dev.sluice.engine.admission.reference;

import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The plain nomination of a workload, as in docs/specification/admission-cycle.md#nomination:
 * flavors and victims for all its pods, or for fewer of them where not all fit.
 *
 * <p>One rule is ours and not Kueue's: where no victims help all pods together, or the workload
 * preempted others before, flavors that fit are taken, however much is borrowed.
 */
final class ReferenceNomination {
  private final ReferenceWorld world;
  private final QueueSpec queue;
  private final PendingWorkload workload;

  ReferenceNomination(ReferenceWorld world, QueueSpec queue, PendingWorkload workload) {
    this.world = world;
    this.queue = queue;
    this.workload = workload;
  }

  /** An assignment for so many pods, and its victims. */
  record Attempt(
      List<PodSetRequest> podSets, ReferenceAssignment.Found found, List<Target> targets) {

    boolean succeeds() {
      return found.grade().mode() == AssignmentMode.FIT || !targets.isEmpty();
    }
  }

  /** What works with most pods; what all of them find if nothing does. */
  Attempt best(Map<String, Integer> tried) {
    Attempt all = attempt(workload.podSets(), tried, world.preemptors.contains(workload.path()));
    return all.succeeds() ? all : fewer().orElse(all);
  }

  private Attempt attempt(
      List<PodSetRequest> podSets, Map<String, Integer> tried, boolean preemptor) {
    var sized =
        new PendingWorkload(
            workload.identity(),
            workload.owner(),
            workload.queues(),
            workload.precedence(),
            podSets,
            workload.replaces(),
            workload.problems(),
            Optional.empty(),
            true);
    var assignment = new ReferenceAssignment(world.quota, world.reference, queue, sized, true);
    ReferenceAssignment.Found found = assignment.assign(tried);
    List<Target> targets =
        found.grade().mode().needsPreemption()
            ? world.reference.targets(sized, new Usage(found.usage()), found.needed())
            : List.of();
    var first = new Attempt(podSets, found, targets);
    var second = new Attempt(podSets, assignment.onlyWhatFits().assign(tried), List.of());
    boolean suffices = preemptor ? found.grade().mode() == AssignmentMode.FIT : first.succeeds();
    return suffices || !second.succeeds() ? first : second;
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
      Attempt reduced = attempt(reduced(middle, delta), Map.of(), false);
      if (reduced.succeeds()) {
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
