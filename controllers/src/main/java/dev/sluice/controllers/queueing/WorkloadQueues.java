package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/**
 * The queues of a workload.
 *
 * @param localQueue the LocalQueue that it names, if that exists
 * @param clusterQueue the name of the ClusterQueue in which its quota is or would be reserved;
 *     empty if that is not known
 */
public record WorkloadQueues(Optional<LocalQueue> localQueue, String clusterQueue) {

  public static WorkloadQueues of(Workload workload, Cluster cluster) {
    Optional<LocalQueue> localQueue =
        cluster
            .get(Kinds.LOCAL_QUEUE.key(workload.object().namespace(), workload.queueName()))
            .map(LocalQueue::new);
    String clusterQueue =
        workload.clusterQueue().or(() -> localQueue.map(LocalQueue::clusterQueue)).orElse("");
    return new WorkloadQueues(localQueue, clusterQueue);
  }
}
