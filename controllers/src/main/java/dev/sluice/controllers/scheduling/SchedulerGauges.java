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
 * How things stand with the scheduler at one moment.
 *
 * @param pending how many pods wait, by the part of the queue
 * @param refused how many of them found no node, by the scheduler they ask for and the filter that
 *     objected
 * @param arrivals how often pods came to the parts of the queue
 * @param known how many nodes and pods the scheduler knows, and of how many pods it only assumes
 *     that they are on their nodes
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
