package dev.sluice.controllers.queueing.visibility;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The positions of the pending workloads of a queue. */
final class PendingWorkloads {
  private PendingWorkloads() {}

  /**
   * A pending workload with its positions.
   *
   * @param inClusterQueue the number of workloads before it in the ClusterQueue
   * @param inLocalQueue the number of those that are in its LocalQueue
   */
  record Entry(PendingWorkload workload, int inClusterQueue, int inLocalQueue) {

    Tree tree(Tree metadata) {
      return Tree.of(
          "metadata",
          metadata,
          "priority",
          workload.priority(),
          "localQueueName",
          workload.localQueue(),
          "positionInClusterQueue",
          inClusterQueue,
          "positionInLocalQueue",
          inLocalQueue);
    }
  }

  /**
   * A page of the pending workloads of a ClusterQueue.
   *
   * @param pending all pending workloads, in order
   * @param shown the workloads that the request asks for; positions count all workloads
   */
  static List<Entry> page(
      List<PendingWorkload> pending, Predicate<PendingWorkload> shown, Page range) {
    var before = new TreeMap<String, Integer>();
    var entries = new ArrayList<Entry>();
    long toSkip = range.offset();
    for (int position = 0;
        position < pending.size() && entries.size() < range.limit();
        position++) {
      PendingWorkload workload = pending.get(position);
      int inLocalQueue = before.merge(workload.localQueuePath(), 1, Integer::sum) - 1;
      if (shown.test(workload) && toSkip-- <= 0) {
        entries.add(new Entry(workload, position, inLocalQueue));
      }
    }
    return entries;
  }
}
