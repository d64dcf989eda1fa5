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
 * The queues of a workload, as far as they exist.
 *
 * @param clusterQueueName where its quota is, or would come from; empty if nobody can tell
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

  /** Why a workload that holds no quota cannot get any here, if so. */
  Optional<Condition> blocksPending(ConditionReasons words) {
    if (localQueue.isEmpty()) {
      return not(words.misconfigured(), "LocalQueue " + localQueueName + " doesn't exist");
    }
    if (!localQueueRuns()) {
      return not(words.suspended(), "LocalQueue " + localQueueName + " is inactive");
    }
    if (clusterQueue.isEmpty()) {
      return not(words.misconfigured(), "ClusterQueue " + clusterQueueName + " doesn't exist");
    }
    return isInactive(clusterQueue.get())
        ? not(words.suspended(), "ClusterQueue " + clusterQueueName + " is inactive")
        : Optional.empty();
  }

  /** Whether a message tells that a queue was in the way, of this place or of one before. */
  static boolean wasTold(String message) {
    return message.startsWith("LocalQueue ") || message.startsWith("ClusterQueue ");
  }

  /** A queue nobody has judged yet is not called inactive. */
  private static boolean isInactive(ClusterQueue queue) {
    return queue.stopPolicy() != StopPolicy.NONE
        || queue.object().isDeleting()
        || new WorkloadStatus(queue.object().status()).denies(ClusterQueue.ACTIVE);
  }

  /** Why a workload that is not admitted yet cannot keep its quota here, if so. */
  Optional<Condition> endsReservation(ConditionReasons words) {
    if (localQueue.filter(queue -> !queue.object().isDeleting()).isEmpty()) {
      return not(
          words.misconfigured(), "LocalQueue " + localQueueName + " is terminating or missing");
    }
    if (localStop() != StopPolicy.NONE) {
      return not(words.suspended(), "LocalQueue " + localQueueName + " is stopped");
    }
    if (clusterQueue.filter(queue -> !queue.object().isDeleting()).isEmpty()) {
      return not(
          words.misconfigured(), "ClusterQueue " + clusterQueueName + " is terminating or missing");
    }
    return clusterStop() != StopPolicy.NONE
        ? not(words.suspended(), "ClusterQueue " + clusterQueueName + " is stopped")
        : Optional.empty();
  }

  private static Optional<Condition> not(String reason, String message) {
    return Optional.of(new Condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message));
  }
}
