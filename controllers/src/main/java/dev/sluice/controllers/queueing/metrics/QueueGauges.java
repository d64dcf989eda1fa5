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

/** The gauges of queues: their pending, reserving and admitted workloads, and their status. */
final class QueueGauges {
  private static final String LENGTH = "Workloads that wait, by whether they are looked at";
  private static final String RESERVING = "Workloads that hold quota";
  private static final String ADMITTED = "Workloads that are admitted and not finished";

  private final Cluster cluster;
  private final Configuration configuration;
  private final CustomLabels custom;
  private final ActiveCondition activeCondition;

  QueueGauges(Cluster cluster, Configuration configuration, CustomLabels custom) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.custom = custom;
    this.activeCondition = new ActiveCondition(cluster);
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
      for (String state : List.of("pending", "active", "terminating")) {
        gauges.set(
            "cluster_queue_status",
            "Whether a ClusterQueue is in a state",
            state.equals(status) ? 1 : 0,
            "cluster_queue",
            queue.name(),
            "status",
            state);
      }
    }
  }

  private String status(ClusterQueue queue) {
    if (queue.object().isDeleting()) {
      return "terminating";
    }
    return activeCondition.of(queue).holds() ? "active" : "pending";
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
              .map(condition -> condition.text("status"))
              .orElse("Unknown");
      for (String state : List.of("True", "False", "Unknown")) {
        gauges.set(
            "local_queue_status",
            "Whether a LocalQueue is active",
            state.equals(active) ? 1 : 0,
            QueueTally.with(new String[] {"active", state}, labels));
      }
      usage(queue, gauges);
    }
  }

  /** The weighted usage by which admission fair sharing orders LocalQueues. */
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

  /** In an inactive queue all pending workloads are inadmissible. */
  private static void length(
      Gauges gauges, String name, QueueLength length, boolean admits, String... labels) {
    int inadmissible = admits ? length.inadmissible() : length.pending();
    gauges.set(
        name,
        LENGTH,
        length.pending() - inadmissible,
        QueueTally.with(new String[] {"status", "active"}, labels));
    gauges.set(
        name,
        LENGTH,
        inadmissible,
        QueueTally.with(new String[] {"status", "inadmissible"}, labels));
  }

  private static void reserving(
      Gauges gauges, String prefix, Collection<QuotaReservation> held, String... labels) {
    gauges.set(prefix + "reserving_active_workloads", RESERVING, held.size(), labels);
  }

  /** The admitted workloads, by their custom labels if there are any. */
  private void admitted(Gauges gauges, Collection<QuotaReservation> held, String queue) {
    var counts = new LinkedHashMap<List<String>, Integer>();
    if (!custom.hasWorkloadLabels()) {
      counts.put(List.of(), 0);
    }
    held.stream()
        .filter(QuotaReservation::admitted)
        .forEach(reservation ->
            counts.merge(
                custom.ofWorkload(reservation.namespace(), reservation.name()), 1, Integer::sum));
    counts.forEach((labels, count) ->
        gauges.set(
            "admitted_active_workloads",
            ADMITTED,
            count,
            QueueTally.with(labels.toArray(String[]::new), "cluster_queue", queue)));
  }
}
