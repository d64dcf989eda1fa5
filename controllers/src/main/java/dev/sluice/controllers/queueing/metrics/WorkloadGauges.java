package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.configuration.ManagerSettings;
import dev.sluice.controllers.queueing.WorkloadQueues;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.util.SortedMap;
import java.util.TreeMap;

/** The gauges of finished workloads and, if enabled, of unadmitted workloads by reason. */
final class WorkloadGauges {
  private static final String FINISHED = "Finished workloads that are still there";
  private static final String UNADMITTED = "Workloads that are not admitted, by reason";

  private final Cluster cluster;
  private final Configuration configuration;
  private final ManagerSettings.Metrics settings;

  WorkloadGauges(Cluster cluster, Configuration configuration, ManagerSettings.Metrics settings) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.settings = settings;
  }

  /**
   * The key by which workloads are counted.
   *
   * @param localQueue {@code namespace/name}; empty if it has no metrics
   * @param reason the reason why workloads are not admitted; empty for finished ones
   */
  private record Bin(String clusterQueue, String localQueue, String reason, String cause)
      implements Comparable<Bin> {
    @Override
    public int compareTo(Bin other) {
      return toString().compareTo(other.toString());
    }

    String name() {
      return localQueue.substring(localQueue.indexOf('/') + 1);
    }

    String namespace() {
      return localQueue.substring(0, localQueue.indexOf('/'));
    }
  }

  void collect(Gauges gauges) {
    SortedMap<Bin, Integer> clusterQueues = new TreeMap<>();
    SortedMap<Bin, Integer> localQueues = new TreeMap<>();
    for (ApiObject object : cluster.list(Kinds.WORKLOAD)) {
      var workload = new Workload(object);
      if (workload.parent().isEmpty() && (workload.finished() || counts(workload))) {
        Bin bin = bin(workload);
        clusterQueues.merge(
            new Bin(bin.clusterQueue(), "", bin.reason(), bin.cause()), 1, Integer::sum);
        if (!bin.localQueue().isEmpty()) {
          localQueues.merge(bin, 1, Integer::sum);
        }
      }
    }
    clusterQueues.forEach((bin, count) -> clusterQueue(gauges, bin, count));
    localQueues.forEach((bin, count) -> localQueue(gauges, bin, count));
  }

  private boolean counts(Workload workload) {
    return configuration.has(Gate.UNADMITTED_OBSERVABILITY) && !workload.admitted();
  }

  private Bin bin(Workload workload) {
    var queues = WorkloadQueues.of(workload, cluster);
    String clusterQueue = queues.clusterQueueName();
    String measured =
        queues
            .localQueue()
            .map(LocalQueue::object)
            .filter(queue -> WorkloadEventCounter.measures(settings, queue))
            .map(ApiObject::path)
            .orElse("");
    if (workload.finished()) {
      return new Bin(clusterQueue, measured, "", "");
    }
    String cause = workload.status().reason(WorkloadStatus.QUOTA_RESERVED);
    return workload.reserved()
        ? new Bin(clusterQueue, measured, "UnsatisfiedAdmissionChecks", "")
        : new Bin(clusterQueue, measured, "NoReservation", cause);
  }

  private static void clusterQueue(Gauges gauges, Bin bin, int count) {
    if (bin.reason().isEmpty()) {
      gauges.set("finished_workloads", FINISHED, count, "cluster_queue", bin.clusterQueue());
    } else {
      gauges.set(
          "unadmitted_workloads",
          UNADMITTED,
          count,
          "cluster_queue",
          bin.clusterQueue(),
          "reason",
          bin.reason(),
          "underlying_cause",
          bin.cause());
    }
  }

  private static void localQueue(Gauges gauges, Bin bin, int count) {
    String[] queue = {"name", bin.name(), "namespace", bin.namespace()};
    if (bin.reason().isEmpty()) {
      gauges.set("local_queue_finished_workloads", FINISHED, count, queue);
    } else {
      gauges.set(
          "local_queue_unadmitted_workloads",
          UNADMITTED,
          count,
          QueueTally.with(
              new String[] {
                "cluster_queue",
                bin.clusterQueue(),
                "reason",
                bin.reason(),
                "underlying_cause",
                bin.cause()
              },
              queue));
    }
  }
}
