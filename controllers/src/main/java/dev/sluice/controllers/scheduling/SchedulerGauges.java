package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.queue.Arrivals;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.engine.scheduling.queue.SubQueue;
import dev.sluice.engine.scheduling.queue.WaitingPods;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The gauges of the scheduler at one time.
 *
 * @param pending how many pods are pending, by sub-queue
 * @param refused how many of them are unschedulable, by scheduler name and the plugin that refused
 *     them
 * @param arrivals how often pods entered the sub-queues
 * @param known how many nodes and pods the scheduler knows, and how many pods are only assumed to
 *     be on their nodes
 */
record SchedulerGauges(
    SortedMap<String, Integer> pending,
    SortedMap<String, SortedMap<Plugin, Integer>> refused,
    SortedMap<Arrivals.Way, Long> arrivals,
    SortedMap<String, Integer> known) {
  static final SchedulerGauges NOTHING =
      new SchedulerGauges(
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap());

  static SchedulerGauges of(
      ClusterState state, SchedulingQueue queue, WaitingPods held, int gated) {
    var pending = new TreeMap<String, Integer>();
    for (SubQueue part : SubQueue.values()) {
      pending.put(part.word(), queue.size(part));
    }
    pending.put("gated", gated);
    var known = new TreeMap<String, Integer>();
    known.put("nodes", state.nodeCount());
    known.put("pods", state.podCount());
    known.put("assumed_pods", held.size());
    return new SchedulerGauges(
        Collections.unmodifiableSortedMap(pending),
        queue.refused(),
        queue.arrivals(),
        Collections.unmodifiableSortedMap(known));
  }
}
