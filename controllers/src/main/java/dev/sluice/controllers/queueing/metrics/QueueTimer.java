package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.metrics.Meters.Timer;
import java.time.Duration;
import java.util.List;

/**
 * A histogram of waiting times by priority class, per ClusterQueue and, if LocalQueue metrics are
 * enabled, per LocalQueue.
 */
final class QueueTimer {
  private final Timer clusterQueues;
  private final Timer localQueues;

  QueueTimer(Meters meters, String name, String help, List<Double> bounds) {
    this.clusterQueues =
        meters.timer(name, help + " per ClusterQueue", bounds, "cluster_queue", "priority_class");
    this.localQueues =
        meters.timer(
            "local_queue_" + name,
            help + " per LocalQueue",
            bounds,
            "name",
            "namespace",
            "priority_class");
  }

  void took(Duration time, Where where, String priorityClass) {
    clusterQueues.took(time, where.clusterQueue(), priorityClass);
    if (where.measured()) {
      localQueues.took(time, where.localQueue(), where.namespace(), priorityClass);
    }
  }
}
