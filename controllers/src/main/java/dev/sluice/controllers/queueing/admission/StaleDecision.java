package dev.sluice.controllers.queueing.admission;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.kueue.Workload;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whether what was decided about a workload is still about it. */
final class StaleDecision {
  private StaleDecision() {}

  /** Whether a workload still waits where, and with as many pods as, it was decided about. */
  static boolean is(PendingWorkload decided, Workload found) {
    return !found.reserved()
        && !found.finished()
        && found.queueName().equals(decided.localQueue())
        && pods(decided).equals(pods(found));
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
