package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.admission.QueueBook;
import dev.sluice.engine.quota.QuotaNode;
import java.util.ArrayList;
import java.util.List;

/** Counts admissions for every cohort above the queue in which they happen. */
final class CohortMeters {
  private final QueueBook book;
  private final Meters.Tally admitted;

  CohortMeters(QueueBook book, Meters meters) {
    this.book = book;
    this.admitted =
        meters.counter(
            "cohort_subtree_admitted_workloads_total",
            "Workloads admitted in a cohort and all below it",
            "cohort",
            "priority_class");
  }

  void admitted(String clusterQueue, String priorityClass) {
    cohortsAbove(clusterQueue).forEach(cohort -> admitted.add(cohort, priorityClass));
  }

  private List<String> cohortsAbove(String clusterQueue) {
    return book.read(queues -> {
      var names = new ArrayList<String>();
      QuotaNode node =
          queues.ledger().tree().queue(clusterQueue).map(QuotaNode::parent).orElse(null);
      for (; node != null; node = node.parent()) {
        names.add(node.name());
      }
      return names;
    });
  }
}
