package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.admission.ActiveCondition;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.pending.QueueLength;
import dev.sluice.engine.fairness.WeightedUsage;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantities;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.runtime.Cluster;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/** How many workloads are where, and whether the queues work. */
final class QueueGauges {
  private static final String LENGTH = "Workloads that wait, by whether they are looked at";
  private static final String RESERVING = "Workloads that hold quota";
  private static final String ADMITTED = "Workloads that are admitted and not finished";

  private final Cluster cluster;
  private final Configuration configuration;
  private final CustomLabels custom;
  private final ActiveCondition health;

  QueueGauges(Cluster cluster, Configuration configuration, CustomLabels custom) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.custom = custom;
    this.health = new ActiveCondition(cluster);
  }

  void clusterQueues(AdmissionQueues queues, Gauges gauges) {
    for (ApiObject object : cluster.list(Kinds.CLUSTER_QUEUE)) {
      var queue = new ClusterQueue(object);
      boolean active = queues.ledger().admits(queue.name());
      length(
          gauges,
          "pending_workloads",
          queues.lengths().of(queue.name()),
          active,
          "cluster_queue",
          queue.name());
      var held = queues.ledger().reservations(queue.name());
      reserving(gauges, "", held, "cluster_queue", queue.name());
      admitted(gauges, held, queue.name());
      String status = status(queue);
      for (String one : List.of("pending", "active", "terminating")) {
        gauges.set(
            "cluster_queue_status",
            "Whether a ClusterQueue is in a state",
            one.equals(status) ? 1 : 0,
            "cluster_queue",
            queue.name(),
            "status",
            one);
      }
    }
  }

  private String status(ClusterQueue queue) {
    if (queue.object().isDeleting()) {
      return "terminating";
    }
    return health.of(queue).holds() ? "active" : "pending";
  }

  void localQueues(LocalQueues queues, Gauges gauges) {
    for (LocalQueue queue : queues.measured()) {
      ApiObject object = queue.object();
      String[] labels = {"name", object.name(), "namespace", object.namespace()};
      length(
          gauges,
          "local_queue_pending_workloads",
          queues.length(queue),
          queues.admits(queue),
          labels);
      reserving(gauges, "local_queue_", queues.held(queue), labels);
      gauges.set(
          "local_queue_admitted_active_workloads",
          ADMITTED,
          (double) queues.held(queue).stream().filter(QuotaReservation::admitted).count(),
          labels);
      String active =
          Condition.find(object.status(), LocalQueue.ACTIVE)
              .map(one -> one.text("status"))
              .orElse("Unknown");
      for (String one : List.of("True", "False", "Unknown")) {
        gauges.set(
            "local_queue_status",
            "Whether a LocalQueue is active",
            one.equals(active) ? 1 : 0,
            QueueTally.with(new String[] {"active", one}, labels));
      }
      usage(queue, gauges);
    }
  }

  /** What fair sharing by past usage goes by. */
  private void usage(LocalQueue queue, Gauges gauges) {
    configuration
        .usageSharing()
        .ifPresent(sharing -> {
          var consumed = new QueueStatus(queue.object().status()).consumedResources();
          var usage =
              WeightedUsage.of(new Quantities(consumed), sharing.weights(), queue.fairWeight());
          gauges.set(
              "local_queue_admission_fair_sharing_usage",
              "The past usage of a LocalQueue in relation to its weight",
              usage.isInfinite()
                  ? Double.POSITIVE_INFINITY
                  : usage.usage().doubleValue() / usage.weight().doubleValue(),
              "name",
              queue.object().name(),
              "namespace",
              queue.object().namespace(),
              "cluster_queue",
              queue.clusterQueue());
        });
  }

  /** Nobody is looked at in a queue that does not admit. */
  private static void length(
      Gauges gauges, String name, QueueLength length, boolean admits, String... labels) {
    int parked = admits ? length.inadmissible() : length.pending();
    gauges.set(
        name,
        LENGTH,
        length.pending() - parked,
        QueueTally.with(new String[] {"status", "active"}, labels));
    gauges.set(
        name, LENGTH, parked, QueueTally.with(new String[] {"status", "inadmissible"}, labels));
  }

  private static void reserving(
      Gauges gauges, String prefix, Collection<QuotaReservation> held, String... labels) {
    gauges.set(prefix + "reserving_active_workloads", RESERVING, held.size(), labels);
  }

  /** By what an administrator wants to tell workloads apart, if anything. */
  private void admitted(Gauges gauges, Collection<QuotaReservation> held, String queue) {
    var counts = new LinkedHashMap<List<String>, Integer>();
    if (!custom.tellWorkloadsApart()) {
      counts.put(List.of(), 0);
    }
    held.stream()
        .filter(QuotaReservation::admitted)
        .forEach(
            one -> counts.merge(custom.ofWorkload(one.namespace(), one.name()), 1, Integer::sum));
    counts.forEach((labels, count) ->
        gauges.set(
            "admitted_active_workloads",
            ADMITTED,
            count,
            QueueTally.with(labels.toArray(String[]::new), "cluster_queue", queue)));
  }
}
