package dev.sluice.controllers.queueing.visibility;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The places of those who wait in a queue. */
final class PendingWorkloads {
  private PendingWorkloads() {}

  /**
   * One who waits.
   *
   * @param inClusterQueue how many are before it in the ClusterQueue
   * @param inLocalQueue how many of those come from its own LocalQueue
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
   * A part of those who wait in a ClusterQueue.
   *
   * @param inOrder all of them
   * @param shown whom the reader asks for; places are counted among all the same
   */
  static List<Entry> inOrder(
      List<PendingWorkload> inOrder, Predicate<PendingWorkload> shown, Page page) {
    var before = new TreeMap<String, Integer>();
    var entries = new ArrayList<Entry>();
    long toSkip = page.offset();
    for (int place = 0; place < inOrder.size() && entries.size() < page.limit(); place++) {
      PendingWorkload workload = inOrder.get(place);
      int inLocalQueue = before.merge(workload.localQueuePath(), 1, Integer::sum) - 1;
      if (shown.test(workload) && toSkip-- <= 0) {
        entries.add(new Entry(workload, place, inLocalQueue));
      }
    }
    return entries;
  }
}
