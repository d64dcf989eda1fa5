package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.metrics.Meters.Tally;
import java.util.stream.Stream;

/** A counter per ClusterQueue and, if LocalQueue metrics are enabled, per LocalQueue. */
final class QueueTally {
  private final Tally clusterQueues;
  private final Tally localQueues;

  QueueTally(Meters meters, String name, String help, String... labels) {
    this.clusterQueues =
        meters.counter(name, help + " per ClusterQueue", with(labels, "cluster_queue"));
    this.localQueues =
        meters.counter(
            "local_queue_" + name, help + " per LocalQueue", with(labels, "name", "namespace"));
  }

  void add(Where where, String... values) {
    clusterQueues.add(with(values, where.clusterQueue()));
    if (where.measured()) {
      localQueues.add(with(values, where.localQueue(), where.namespace()));
    }
  }

  static String[] with(String[] rest, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
  }
}
