package dev.sluice.controllers.queueing;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/**
 * Where a workload stands.
 *
 * @param localQueue the one that it names, if that exists
 * @param clusterQueue the name of the one where its quota is, or would come from; empty if nobody
 *     can tell
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
