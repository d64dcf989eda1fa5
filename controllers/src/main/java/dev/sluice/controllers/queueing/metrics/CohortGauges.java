package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaTree;
import dev.sluice.engine.quota.Share;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * The gauges of the quota tree: the parents of queues and cohorts, the quota and usage of subtrees,
 * and weighted shares.
 */
final class CohortGauges {
  private CohortGauges() {}

  static void tree(AdmissionQueues queues, Gauges gauges) {
    QuotaTree tree = queues.ledger().tree();
    for (QuotaNode queue : tree.queues()) {
      info(gauges, "cluster_queue", queue);
    }
    for (QuotaNode cohort : tree.cohorts()) {
      info(gauges, "cohort", cohort);
      subtree(gauges, cohort);
      gauges.set(
          "cohort_subtree_admitted_active_workloads",
          "Workloads that are admitted in a cohort and all below it",
          admitted(queues, cohort),
          "cohort",
          cohort.name());
    }
  }

  private static void info(Gauges gauges, String kind, QuotaNode node) {
    gauges.set(
        kind + "_info",
        "Where in the tree something hangs",
        1,
        kind,
        node.name(),
        "parent_cohort",
        ResourceGauges.parent(node),
        "root_cohort",
        node.root().isQueue() ? "" : node.root().name());
  }

  private static void subtree(Gauges gauges, QuotaNode cohort) {
    for (FlavorResource flavorResource : cohort.known()) {
      String[] labels = {
        "cohort",
        cohort.name(),
        "flavor",
        flavorResource.flavor(),
        "resource",
        flavorResource.resource()
      };
      gauges.set(
          "cohort_subtree_quota",
          "The quota of a cohort and all below it",
          ResourceGauges.value(flavorResource.resource(), cohort.subtreeQuota(flavorResource)),
          labels);
      gauges.set(
          "cohort_subtree_resource_reservations",
          "What workloads hold of the quota of a cohort and all below it",
          reserved(cohort, flavorResource),
          labels);
    }
  }

  /**
   * The sum of what the queues below have reserved; the usage of a cohort itself leaves out what a
   * queue does not lend.
   */
  private static double reserved(QuotaNode cohort, FlavorResource flavorResource) {
    var reserved = new DoubleAdder();
    cohort.forEachQueue(queue ->
        reserved.add(ResourceGauges.value(flavorResource.resource(), queue.usage(flavorResource))));
    return reserved.sum();
  }

  private static double admitted(AdmissionQueues queues, QuotaNode cohort) {
    var count = new AtomicInteger();
    cohort.forEachQueue(queue ->
        queues.ledger().reservations(queue.name()).stream()
            .filter(QuotaReservation::admitted)
            .forEach(_ -> count.incrementAndGet()));
    return count.get();
  }

  static void shares(AdmissionQueues queues, Gauges gauges) {
    for (QuotaNode queue : queues.ledger().tree().queues()) {
      gauges.set(
          "cluster_queue_weighted_share",
          "How much a ClusterQueue borrows, in thousandths of what there is, by its weight",
          queue.share().infinite() ? Double.NaN : share(queue),
          "cluster_queue",
          queue.name(),
          "cohort",
          ResourceGauges.parent(queue));
    }
    for (QuotaNode cohort : queues.ledger().tree().cohorts()) {
      gauges.set(
          "cohort_weighted_share",
          "How much a cohort borrows, in thousandths of what there is, by its weight",
          share(cohort),
          "cohort",
          cohort.name());
    }
  }

  /** The share in thousandths; infinite at a weight of zero. */
  private static double share(QuotaNode node) {
    Share share = node.share();
    double unweighted = 1000.0 * share.borrowed() / share.lendable();
    return share.borrowed() == 0 ? 0 : unweighted / share.weight().doubleValue();
  }
}
