package dev.sluice.controllers.queueing.visibility;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Who waits in a queue, in order: the kind {@code PendingWorkloadsSummary}.
 *
 * @param entries in the order of the ClusterQueue
 */
record PendingWorkloadsSummary(List<Entry> entries) {
  PendingWorkloadsSummary {
    entries = List.copyOf(entries);
  }

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

    /** What is known of it without its object. */
    Tree ownMetadata() {
      return Tree.of(
          "name",
          workload.name(),
          "namespace",
          workload.namespace(),
          "creationTimestamp",
          Timestamps.format(workload.since()));
    }
  }

  /**
   * A part of those who wait in a ClusterQueue.
   *
   * @param inOrder all of them
   * @param shown whom the reader asks for; places are counted among all the same
   */
  static PendingWorkloadsSummary of(
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
    return new PendingWorkloadsSummary(entries);
  }

  /** The answer as people and programs read it. */
  Tree tree(String apiVersion, Function<Entry, Tree> item) {
    return Tree.of(
        "apiVersion",
        apiVersion,
        "kind",
        "PendingWorkloadsSummary",
        "metadata",
        Tree.EMPTY,
        "items",
        Items.of(entries.stream().map(item).toList()));
  }
}
