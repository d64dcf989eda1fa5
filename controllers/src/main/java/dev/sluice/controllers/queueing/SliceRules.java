package dev.sluice.controllers.queueing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The rules by which a workload slice replaces another, whether a job or a user makes it. */
public final class SliceRules {
  /** The reason of the condition Finished of a replaced slice, and of the event about it. */
  public static final String REPLACED = "WorkloadSliceReplaced";

  private SliceRules() {}

  /** The slice that a workload replaces, or will replace. */
  public static Optional<ObjectKey> predecessor(ApiObject workload) {
    String path = workload.annotation(KueueNames.SLICE_REPLACEMENT_FOR);
    int slash = path.indexOf('/');
    return slash > 0 && path.substring(0, slash).equals(workload.namespace())
        ? Optional.of(Kinds.WORKLOAD.key(workload.namespace(), path.substring(slash + 1)))
        : Optional.empty();
  }

  public static boolean areOfOneJob(Workload one, Workload other) {
    return one.object().label(KueueNames.JOB_UID).equals(other.object().label(KueueNames.JOB_UID));
  }

  /** Whether pods end when the pod sets of a workload get smaller. */
  public static boolean scalesDown(Workload workload) {
    return workload.object().annotation(KueueNames.ELASTIC_JOB).equals("true")
        || predecessor(workload.object()).isPresent();
  }

  /** The message of the condition Finished of a slice that {@code successor} replaces. */
  public static String message(Workload successor) {
    return "Replaced to accommodate a workload (UID: %s) with another size of its job"
        .formatted(successor.object().uid());
  }

  /**
   * The status of an admitted successor with the execution time of the slice that it replaces:
   * scaling must not reset the limit.
   */
  public static WorkloadStatus continued(Workload slice, Workload successor, Instant now) {
    if (successor.maximumExecutionTime().isEmpty()) {
      return successor.status();
    }
    Instant end = successor.status().since(WorkloadStatus.ADMITTED).orElse(now);
    Duration past = WorkloadTransitions.executionTime(slice.status(), end);
    return successor.status().withAccumulatedExecutionTime(past);
  }
}
