package dev.sluice.controllers.queueing;

import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/**
 * The queues of a workload.
 *
 * @param localQueue the LocalQueue that it names, if that exists
 * @param clusterQueue the name of the ClusterQueue in which its quota is or would be reserved;
 *     empty if that is not known
 */
public record WorkloadQueues(
    String localQueueName,
    Optional<LocalQueue> localQueue,
    String clusterQueueName,
    Optional<ClusterQueue> clusterQueue) {

  public static WorkloadQueues of(Workload workload, Cluster cluster) {
    Optional<LocalQueue> localQueue =
        cluster
            .get(Kinds.LOCAL_QUEUE.key(workload.object().namespace(), workload.queueName()))
            .map(LocalQueue::new);
    String clusterQueue =
        workload.clusterQueue().or(() -> localQueue.map(LocalQueue::clusterQueue)).orElse("");
    return new WorkloadQueues(
        workload.queueName(),
        localQueue,
        clusterQueue,
        cluster.get(Kinds.CLUSTER_QUEUE.key(clusterQueue)).map(ClusterQueue::new));
  }

  public StopPolicy localQueueStopPolicy() {
    return localQueue.map(LocalQueue::stopPolicy).orElse(StopPolicy.NONE);
  }

  public StopPolicy clusterQueueStopPolicy() {
    return clusterQueue.map(ClusterQueue::stopPolicy).orElse(StopPolicy.NONE);
  }

  public boolean localQueueRuns() {
    return localQueue.isPresent() && localQueueStopPolicy() == StopPolicy.NONE;
  }

  public boolean clusterQueueRuns() {
    return clusterQueue.isPresent() && clusterQueueStopPolicy() == StopPolicy.NONE;
  }

  /** Why a workload without quota cannot reserve any in these queues, if so. */
  public Optional<Condition> blocksPending(ConditionReasons reasons) {
    if (localQueue.isEmpty()) {
      return not(reasons.misconfigured(), "LocalQueue " + localQueueName + " doesn't exist");
    }
    if (!localQueueRuns()) {
      return not(reasons.suspended(), "LocalQueue " + localQueueName + " is inactive");
    }
    if (clusterQueue.isEmpty()) {
      return not(reasons.misconfigured(), "ClusterQueue " + clusterQueueName + " doesn't exist");
    }
    return isInactive(clusterQueue.get())
        ? not(reasons.suspended(), "ClusterQueue " + clusterQueueName + " is inactive")
        : Optional.empty();
  }

  /** Whether a message says that a queue blocked the workload, one of these or an earlier one. */
  public static boolean isBlockedMessage(String message) {
    return message.startsWith("LocalQueue ") || message.startsWith("ClusterQueue ");
  }

  /** A queue whose condition Active is not written yet does not count as inactive. */
  private static boolean isInactive(ClusterQueue queue) {
    return queue.stopPolicy() != StopPolicy.NONE
        || queue.object().isDeleting()
        || new WorkloadStatus(queue.object().status()).denies(ClusterQueue.ACTIVE);
  }

  /** Why a workload that is not admitted yet cannot keep its quota in these queues, if so. */
  public Optional<Condition> endsReservation(ConditionReasons reasons) {
    if (localQueue.filter(queue -> !queue.object().isDeleting()).isEmpty()) {
      return not(
          reasons.misconfigured(), "LocalQueue " + localQueueName + " is terminating or missing");
    }
    if (localQueueStopPolicy() != StopPolicy.NONE) {
      return not(reasons.suspended(), "LocalQueue " + localQueueName + " is stopped");
    }
    if (clusterQueue.filter(queue -> !queue.object().isDeleting()).isEmpty()) {
      return not(
          reasons.misconfigured(),
          "ClusterQueue " + clusterQueueName + " is terminating or missing");
    }
    return clusterQueueStopPolicy() != StopPolicy.NONE
        ? not(reasons.suspended(), "ClusterQueue " + clusterQueueName + " is stopped")
        : Optional.empty();
  }

  private static Optional<Condition> not(String reason, String message) {
    return Optional.of(new Condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message));
  }
}
