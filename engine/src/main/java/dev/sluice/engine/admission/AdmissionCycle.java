package dev.sluice.engine.admission;

import dev.sluice.engine.placement.LabelSelector;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One look at all queues: admits as much as is right to admit, and says of everything else why it
 * waits.
 *
 * <p>Within a queue the higher priority comes first, then who has waited longer. A workload that
 * does not fit lets smaller ones pass, except in a strict queue. Queues do not influence each
 * other.
 */
public final class AdmissionCycle {
  private final QueueSnapshot snapshot;
  private final List<Decision> decisions = new ArrayList<>();

  private AdmissionCycle(QueueSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** Decides for every pending workload: queue by queue, each in its order. */
  public static List<Decision> decide(QueueSnapshot snapshot) {
    var cycle = new AdmissionCycle(snapshot);
    cycle.byQueue().forEach(cycle::decideQueue);
    return Collections.unmodifiableList(cycle.decisions);
  }

  /** The workloads by the queue their way leads to; those without a way are refused on the spot. */
  private SortedMap<String, List<PendingWorkload>> byQueue() {
    var queues = new TreeMap<String, List<PendingWorkload>>();
    for (PendingWorkload workload : snapshot.pending().stream().sorted().toList()) {
      Optional<LocalQueue> localQueue = snapshot.localQueue(workload);
      Optional<ClusterQueue> clusterQueue =
          localQueue.flatMap(found -> snapshot.clusterQueue(found.clusterQueue()));
      Optional<String> blocked = blocked(workload, localQueue, clusterQueue);
      if (blocked.isPresent()) {
        decisions.add(new Decision.Refuse(workload, new Reason.NoWay(blocked.get())));
      } else {
        clusterQueue.ifPresent(
            queue -> queues.computeIfAbsent(queue.name(), name -> new ArrayList<>()).add(workload));
      }
    }
    return queues;
  }

  private Optional<String> blocked(
      PendingWorkload workload,
      Optional<LocalQueue> localQueue,
      Optional<ClusterQueue> clusterQueue) {
    if (localQueue.isEmpty()) {
      return Optional.of("LocalQueue " + workload.localQueue() + " doesn't exist");
    }
    if (clusterQueue.isEmpty()) {
      return Optional.of("ClusterQueue " + localQueue.get().clusterQueue() + " doesn't exist");
    }
    SortedMap<String, String> labels =
        snapshot.namespaceLabels().getOrDefault(workload.namespace(), new TreeMap<>());
    boolean selected =
        clusterQueue
            .get()
            .namespaceSelector()
            .map(selector -> LabelSelector.selects(selector, labels))
            .orElse(false);
    return selected
        ? Optional.empty()
        : Optional.of("workload namespace doesn't match ClusterQueue selector");
  }

  private void decideQueue(String name, List<PendingWorkload> workloads) {
    ClusterQueue queue = snapshot.clusterQueue(name).orElseThrow();
    Usage used = Usage.of(name, snapshot.reserved());
    Optional<PendingWorkload> head = Optional.empty();
    for (PendingWorkload workload : workloads) {
      if (queue.strict() && head.isPresent()) {
        decisions.add(new Decision.Queue(workload, name, new Reason.Behind(head.get().path())));
        continue;
      }
      var assigner = new FlavorAssigner(snapshot, queue, used);
      assigner.assign(workload.podSets());
      if (assigner.unassigned().isEmpty()) {
        var admission = new Admission(name, assigner.assignments());
        used = used.plus(Usage.of(admission.assignments()));
        decisions.add(new Decision.Admit(workload, admission));
      } else {
        head = Optional.of(workload);
        decisions.add(new Decision.Wait(workload, name, assigner.unassigned()));
      }
    }
  }
}
