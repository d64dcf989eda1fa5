package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadQueues;
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
 * The queues of a workload, as far as they exist, and what they mean for its conditions.
 *
 * @param clusterQueueName the ClusterQueue in which its quota is or would be reserved; empty if
 *     that is not known
 */
record Place(
    String localQueueName,
    Optional<LocalQueue> localQueue,
    String clusterQueueName,
    Optional<ClusterQueue> clusterQueue) {

  static Place of(Workload workload, Cluster cluster) {
    var queues = WorkloadQueues.of(workload, cluster);
    return new Place(
        workload.queueName(),
        queues.localQueue(),
        queues.clusterQueue(),
        cluster.get(Kinds.CLUSTER_QUEUE.key(queues.clusterQueue())).map(ClusterQueue::new));
  }

  StopPolicy localStop() {
    return localQueue.map(LocalQueue::stopPolicy).orElse(StopPolicy.NONE);
  }

  StopPolicy clusterStop() {
    return clusterQueue.map(ClusterQueue::stopPolicy).orElse(StopPolicy.NONE);
  }

  boolean localQueueRuns() {
    return localQueue.isPresent() && localStop() == StopPolicy.NONE;
  }

  boolean clusterQueueRuns() {
    return clusterQueue.isPresent() && clusterStop() == StopPolicy.NONE;
  }

  /** The condition of a pending workload whose queues keep it from getting quota. */
  Optional<Condition> blocksPending(ConditionReasons reasons) {
    if (localQueue.isEmpty()) {
      return unreserved(reasons.misconfigured(), "LocalQueue " + localQueueName + " doesn't exist");
    }
    if (!localQueueRuns()) {
      return unreserved(reasons.suspended(), "LocalQueue " + localQueueName + " is inactive");
    }
    if (clusterQueue.isEmpty()) {
      return unreserved(
          reasons.misconfigured(), "ClusterQueue " + clusterQueueName + " doesn't exist");
    }
    return isInactive(clusterQueue.get())
        ? unreserved(reasons.suspended(), "ClusterQueue " + clusterQueueName + " is inactive")
        : Optional.empty();
  }

  /**
   * Whether a condition's message is one of {@link #blocksPending}, of these queues or earlier
   * ones.
   */
  static boolean wasTold(String message) {
    return message.startsWith("LocalQueue ") || message.startsWith("ClusterQueue ");
  }

  /** A queue without a condition Active yet does not count as inactive. */
  private static boolean isInactive(ClusterQueue queue) {
    return queue.stopPolicy() != StopPolicy.NONE
        || queue.object().isDeleting()
        || new WorkloadStatus(queue.object().status()).denies(ClusterQueue.ACTIVE);
  }

  /**
   * The condition of a workload that is not admitted yet and whose queues cannot keep its quota
   * reserved.
   */
  Optional<Condition> endsReservation(ConditionReasons reasons) {
    if (localQueue.filter(queue -> !queue.object().isDeleting()).isEmpty()) {
      return unreserved(
          reasons.misconfigured(), "LocalQueue " + localQueueName + " is terminating or missing");
    }
    if (localStop() != StopPolicy.NONE) {
      return unreserved(reasons.suspended(), "LocalQueue " + localQueueName + " is stopped");
    }
    if (clusterQueue.filter(queue -> !queue.object().isDeleting()).isEmpty()) {
      return unreserved(
          reasons.misconfigured(),
          "ClusterQueue " + clusterQueueName + " is terminating or missing");
    }
    return clusterStop() != StopPolicy.NONE
        ? unreserved(reasons.suspended(), "ClusterQueue " + clusterQueueName + " is stopped")
        : Optional.empty();
  }

  private static Optional<Condition> unreserved(String reason, String message) {
    return Optional.of(new Condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message));
  }
}
