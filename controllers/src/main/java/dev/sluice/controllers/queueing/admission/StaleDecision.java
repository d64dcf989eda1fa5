package dev.sluice.controllers.queueing.admission;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.kueue.Workload;
import java.util.SortedMap;
import java.util.TreeMap;

/** The check whether a decision no longer applies to its workload. */
final class StaleDecision {
  private StaleDecision() {}

  /**
   * Whether a workload is no longer pending in the queue and with the pod counts of the decision.
   */
  static boolean is(PendingWorkload decided, Workload found) {
    return found.reserved()
        || found.finished()
        || !found.queueName().equals(decided.localQueue())
        || !pods(decided).equals(pods(found));
  }

  private static SortedMap<String, Integer> pods(PendingWorkload decided) {
    var counts = new TreeMap<String, Integer>();
    decided.podSets().forEach(podSet -> counts.put(podSet.name(), podSet.count()));
    return counts;
  }

  private static SortedMap<String, Integer> pods(Workload found) {
    var counts = new TreeMap<String, Integer>();
    found
        .podSets()
        .forEach(podSet -> counts.put(podSet.name(), WorkloadReader.needed(podSet, found)));
    return counts;
  }
}
