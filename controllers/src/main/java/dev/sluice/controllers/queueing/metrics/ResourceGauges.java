package dev.sluice.controllers.queueing.metrics;

import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** The gauges of resources: quota, reservations, usage, and requests of pending workloads. */
final class ResourceGauges {
  private ResourceGauges() {}

  static void clusterQueues(AdmissionQueues queues, Gauges gauges) {
    for (QuotaNode node : queues.ledger().tree().queues()) {
      var held = queues.ledger().reservations(node.name());
      SortedMap<FlavorResource, Long> admitted = sum(held, true);
      SortedMap<FlavorResource, Long> reserved = sum(held, false);
      for (FlavorResource flavorResource : node.known()) {
        String[] labels = labels(node, flavorResource);
        String resource = flavorResource.resource();
        quota(gauges, node.quota(flavorResource), resource, labels);
        gauges.set(
            "cluster_queue_resource_reservation",
            "What workloads of a ClusterQueue hold",
            value(resource, reserved.getOrDefault(flavorResource, 0L)),
            labels);
        gauges.set(
            "cluster_queue_resource_usage",
            "What admitted workloads of a ClusterQueue hold",
            value(resource, admitted.getOrDefault(flavorResource, 0L)),
            labels);
      }
      pending(queues, node, gauges);
    }
  }

  private static String[] labels(QuotaNode node, FlavorResource flavorResource) {
    return new String[] {
      "cohort",
      parent(node),
      "cluster_queue",
      node.name(),
      "flavor",
      flavorResource.flavor(),
      "resource",
      flavorResource.resource()
    };
  }

  static String parent(QuotaNode node) {
    QuotaNode parent = node.parent();
    return parent == null ? "" : parent.name();
  }

  private static void quota(Gauges gauges, Quota quota, String resource, String[] labels) {
    gauges.set(
        "cluster_queue_nominal_quota",
        "The quota of a ClusterQueue",
        value(resource, quota.nominal()),
        labels);
    quota
        .borrowingLimit()
        .ifPresent(limit ->
            gauges.set(
                "cluster_queue_borrowing_limit",
                "What a ClusterQueue may borrow",
                value(resource, limit),
                labels));
    quota
        .lendingLimit()
        .ifPresent(limit ->
            gauges.set(
                "cluster_queue_lending_limit",
                "What a ClusterQueue lends",
                value(resource, limit),
                labels));
  }

  private static void pending(AdmissionQueues queues, QuotaNode node, Gauges gauges) {
    Amounts requested = Amounts.NONE;
    for (PendingWorkload workload : queues.pendingIn(node.name())) {
      for (PodSetRequest podSet : workload.podSets()) {
        requested = requested.plus(podSet.total());
      }
    }
    requested.forEach((resource, amount) ->
        gauges.set(
            "cluster_queue_resource_pending",
            "What waiting workloads of a ClusterQueue ask for",
            value(resource, amount),
            "cluster_queue",
            node.name(),
            "resource",
            resource));
  }

  static void localQueues(LocalQueues queues, Gauges gauges) {
    for (LocalQueue queue : queues.measured()) {
      local(gauges, "reservation", "What workloads hold", queue, sum(queues.held(queue), false));
      local(gauges, "usage", "What admitted workloads hold", queue, sum(queues.held(queue), true));
    }
  }

  private static void local(
      Gauges gauges,
      String what,
      String help,
      LocalQueue queue,
      SortedMap<FlavorResource, Long> amounts) {
    amounts.forEach((flavorResource, amount) ->
        gauges.set(
            "local_queue_resource_" + what,
            help + " in a LocalQueue",
            value(flavorResource.resource(), amount),
            "name",
            queue.object().name(),
            "namespace",
            queue.object().namespace(),
            "flavor",
            flavorResource.flavor(),
            "resource",
            flavorResource.resource()));
  }

  private static SortedMap<FlavorResource, Long> sum(
      Collection<QuotaReservation> held, boolean admittedOnly) {
    var sums = new TreeMap<FlavorResource, Long>();
    held.stream()
        .filter(reservation -> reservation.admitted() || !admittedOnly)
        .flatMap(reservation -> reservation.usage().entries().stream())
        .forEach(entry -> sums.merge(entry.getKey(), entry.getValue(), Amounts::sum));
    return sums;
  }

  static double value(String resource, long amount) {
    return amount == Amounts.UNLIMITED
        ? Double.POSITIVE_INFINITY
        : Amounts.quantity(resource, amount).value().doubleValue();
  }
}
