package dev.sluice.controllers.queueing.visibility;

import dev.sluice.model.Condition;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a workload, in words for users.
 *
 * @param state the state as one word
 * @param sentence the explanation of the state
 * @param details further lines, if any
 */
public record WorkloadSummary(String state, String sentence, List<String> details) {
  private static final String WAITING = "Waiting";

  public WorkloadSummary {
    details = List.copyOf(details);
  }

  /**
   * The summary of a workload.
   *
   * @param localQueue the LocalQueue that the workload names, if it exists
   * @param clusterQueue the ClusterQueue of the LocalQueue, if it exists
   * @param item the item of the visibility API, if the workload is pending in a queue
   */
  public static WorkloadSummary of(
      Workload workload,
      Optional<LocalQueue> localQueue,
      Optional<ClusterQueue> clusterQueue,
      Optional<Tree> item) {
    String name = workload.object().path();
    WorkloadStatus status = workload.status();
    if (workload.finished()) {
      return summary("Finished", name + " is finished" + because(status, WorkloadStatus.FINISHED));
    }
    if (workload.object().isDeleting()) {
      return summary("Deleting", name + " is being deleted, and goes once nothing of it runs.");
    }
    if (status.holds(WorkloadStatus.EVICTED) && workload.reserved()) {
      return summary(
          "Evicted",
          name
              + " must stop"
              + because(status, WorkloadStatus.EVICTED)
              + ". Its quota is free once its pods are gone.");
    }
    if (workload.admitted()) {
      return summary("Admitted", name + " is admitted by ClusterQueue " + holder(workload) + ".");
    }
    if (workload.reserved()) {
      return checks(name, workload);
    }
    if (!workload.active()) {
      return new WorkloadSummary(
          "Inactive",
          name + " is switched off: set spec.active to true to queue it again.",
          status.holds(WorkloadStatus.EVICTED)
              ? List.of("it was evicted" + because(status, WorkloadStatus.EVICTED))
              : List.of());
    }
    return waiting(workload, localQueue, clusterQueue, item);
  }

  private static WorkloadSummary summary(String state, String sentence) {
    return new WorkloadSummary(state, sentence, List.of());
  }

  private static String because(WorkloadStatus status, String type) {
    String message = status.message(type);
    String reason = status.reason(type);
    return (reason.isEmpty() ? "" : ", " + reason) + (message.isEmpty() ? "" : ": " + message);
  }

  private static String holder(Workload workload) {
    return workload.clusterQueue().orElse("?");
  }

  private static WorkloadSummary checks(String name, Workload workload) {
    List<String> open =
        workload.status().admissionChecks().stream()
            .filter(check -> !check.ready())
            .map(WorkloadSummary::describe)
            .toList();
    return new WorkloadSummary(
        "QuotaReserved",
        "%s holds quota in ClusterQueue %s and waits for its admission checks."
            .formatted(name, holder(workload)),
        open);
  }

  private static String describe(CheckState check) {
    return "check %s is %s%s"
        .formatted(
            check.name(), check.state(), check.message().isEmpty() ? "" : ": " + check.message());
  }

  private static WorkloadSummary waiting(
      Workload workload,
      Optional<LocalQueue> localQueue,
      Optional<ClusterQueue> clusterQueue,
      Optional<Tree> item) {
    String name = workload.object().path();
    String queue = workload.queueName();
    if (localQueue.isEmpty()) {
      return summary(
          WAITING,
          "%s waits, because there is no LocalQueue %s in namespace %s: create it, or name another."
              .formatted(name, queue.isEmpty() ? "named" : queue, workload.object().namespace()));
    }
    if (localQueue.get().stopPolicy() != StopPolicy.NONE) {
      return summary(
          WAITING, "%s waits, because its LocalQueue %s is stopped.".formatted(name, queue));
    }
    String target = localQueue.get().clusterQueue();
    if (clusterQueue.isEmpty()) {
      return summary(
          WAITING,
          "%s waits, because its LocalQueue %s leads to ClusterQueue %s, which does not exist."
              .formatted(name, queue, target));
    }
    if (clusterQueue.get().stopPolicy() != StopPolicy.NONE) {
      return summary(
          WAITING, "%s waits, because its ClusterQueue %s is stopped.".formatted(name, target));
    }
    if (isInactive(clusterQueue.get(), item)) {
      return summary(
          WAITING,
          "%s waits, because its ClusterQueue %s admits no workloads. %s"
              .formatted(name, target, statusOf(clusterQueue.get()).message(ClusterQueue.ACTIVE)));
    }
    return item.filter(found -> !found.text("explanation", "standing").equals("Resting"))
        .map(found -> ExplanationText.of(name, target, found))
        .orElseGet(() -> notQueued(workload, target));
  }

  /** The engine's queue takes precedence: the status of a queue is written a little later. */
  private static boolean isInactive(ClusterQueue queue, Optional<Tree> item) {
    boolean queued =
        item.map(found -> !found.text("explanation", "standing").equals("QueueInactive"))
            .orElse(false);
    return !queued && statusOf(queue).denies(ClusterQueue.ACTIVE);
  }

  /** The conditions of a queue have the form of those of a workload. */
  private static WorkloadStatus statusOf(ClusterQueue queue) {
    return new WorkloadStatus(queue.object().status());
  }

  /** The workload may have to wait for a time or a gate before it is queued. */
  private static WorkloadSummary notQueued(Workload workload, String clusterQueue) {
    WorkloadStatus status = workload.status();
    if (workload.isParent()) {
      return new WorkloadSummary(
          WAITING,
          "%s waits as one variant for each flavor of ClusterQueue %s: explain those, which 'kubectl get workloads' lists."
              .formatted(workload.object().path(), clusterQueue),
          blockers(status));
    }
    String known =
        Condition.find(status.tree(), WorkloadStatus.QUOTA_RESERVED)
            .map(_ -> because(status, WorkloadStatus.QUOTA_RESERVED))
            .orElse("");
    String sentence =
        "%s waits for ClusterQueue %s%s".formatted(workload.object().path(), clusterQueue, known);
    return new WorkloadSummary(WAITING, sentence, blockers(status));
  }

  private static List<String> blockers(WorkloadStatus status) {
    String missing = WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS;
    var reasons = new ArrayList<String>();
    if (status.denies(WorkloadStatus.REQUEUED)) {
      reasons.add("it was evicted" + because(status, WorkloadStatus.REQUEUED));
    }
    if (status.holds(missing)) {
      reasons.add("it needs new pods in place of old ones" + because(status, missing));
    }
    status.requeueAt().ifPresent(at -> reasons.add("it is requeued at " + at));
    return reasons;
  }

  /** With further details. */
  public WorkloadSummary plus(List<String> more) {
    var all = new ArrayList<>(details);
    all.addAll(more);
    return new WorkloadSummary(state, sentence, all);
  }

  /** The summary as an object. */
  public Tree tree() {
    return Tree.of("state", state, "message", sentence, "details", details);
  }
}
