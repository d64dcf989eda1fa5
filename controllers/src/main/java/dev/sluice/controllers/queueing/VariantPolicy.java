package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.engine.queue.QueueSpec.Variants;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/**
 * The policy of concurrent admission: which workloads are queued as variants, by which rules of
 * their ClusterQueue.
 */
public final class VariantPolicy {
  private final Cluster cluster;
  private final boolean on;

  public VariantPolicy(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.on = configuration.has(Gate.CONCURRENT_ADMISSION);
  }

  /** Whether concurrent admission is enabled. */
  public boolean isOn() {
    return on;
  }

  /** The rules of a ClusterQueue, if it has any. */
  public Optional<Variants> rules(String clusterQueue) {
    return on
        ? cluster
            .get(Kinds.CLUSTER_QUEUE.key(clusterQueue))
            .flatMap(queue -> Variants.of(new ClusterQueue(queue)))
        : Optional.empty();
  }

  /**
   * Whether a workload may have variants. Pods cannot be stopped and started again, and an elastic
   * job has several workloads of its own.
   */
  public static boolean suits(Workload workload) {
    ApiObject object = workload.object();
    return workload.parent().isEmpty()
        && object.annotation(KueueNames.IS_GROUP_WORKLOAD).isEmpty()
        && object.annotation(KueueNames.ELASTIC_JOB).isEmpty()
        && object.annotation(KueueNames.SLICE_NAME).isEmpty()
        && object.owners().stream().noneMatch(owner -> owner.kind().equals(Kinds.POD.kind()));
  }
}
