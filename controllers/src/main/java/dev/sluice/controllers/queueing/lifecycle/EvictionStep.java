package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadQueues;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The step that evicts workloads and releases their quota: after a failed check, in queues that are
 * drained, and, for a workload that still waits for its checks, in queues that are stopped or gone.
 * The deletion of a queue evicts no admitted workload.
 */
final class EvictionStep implements WorkloadStep {
  private static final String ADMISSION_CHECK = "AdmissionCheck";

  private final Cluster cluster;
  private final ConditionReasons reasons;
  private final WorkloadWriter writer;

  EvictionStep(Cluster cluster, Configuration configuration, WorkloadWriter writer) {
    this.cluster = cluster;
    this.reasons = ConditionReasons.of(configuration);
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload workload) {
    if (!workload.reserved()) {
      return Optional.of(Outcome.DONE);
    }
    boolean evicted = workload.status().holds(WorkloadStatus.EVICTED);
    if (evicted && workload.object().owners().isEmpty()) {
      return release(workload);
    }
    var queues = WorkloadQueues.of(workload, cluster);
    if (!workload.admitted()) {
      return (evicted ? Optional.<Outcome>empty() : evaluateChecks(workload))
          .or(() -> queues.endsReservation(reasons).flatMap(why -> release(workload, why)));
    }
    return evicted ? Optional.empty() : evaluateChecks(workload).or(() -> drain(workload, queues));
  }

  /**
   * A workload without an owner has no integration that stops a job and releases the quota, so that
   * is done here. (A preempted one was released by the write that evicted it.)
   */
  private Optional<Outcome> release(Workload workload) {
    return writer.status(
        workload, WorkloadTransitions.releaseEvicted(workload.status(), reasons, writer.now()));
  }

  private Optional<Outcome> evaluateChecks(Workload workload) {
    List<CheckState> rejected = in(CheckState.REJECTED, workload);
    if (!rejected.isEmpty()) {
      return reject(workload, describe(rejected));
    }
    List<CheckState> retried = in(CheckState.RETRY, workload);
    return retried.isEmpty()
        ? Optional.empty()
        : writer.evict(workload, ADMISSION_CHECK, "Evicted due to " + describe(retried));
  }

  private Optional<Outcome> reject(Workload workload, String why) {
    WorkloadStatus status = workload.status();
    WorkloadStatus rejected =
        WorkloadTransitions.deactivate(status, ADMISSION_CHECK, why, writer.now());
    if (rejected.equals(status)) {
      return Optional.empty();
    }
    Optional<Outcome> written = writer.status(workload, rejected);
    writer.warning(workload, "AdmissionCheckRejected", "Deactivated due to " + why);
    return written;
  }

  private static List<CheckState> in(String state, Workload workload) {
    return workload.status().admissionChecks().stream()
        .filter(check -> check.state().equals(state))
        .sorted(Comparator.comparing(CheckState::name))
        .toList();
  }

  private static String describe(List<CheckState> checks) {
    List<String> each =
        checks.stream()
            .map(check ->
                '"'
                    + check.name()
                    + '"'
                    + (check.message().isEmpty() ? "" : " (" + check.message() + ")"))
            .toList();
    return "%s in %s state: %s"
        .formatted(
            checks.size() == 1 ? "AdmissionCheck" : "AdmissionChecks",
            checks.getFirst().state(),
            String.join("; ", each));
  }

  private Optional<Outcome> release(Workload workload, Condition why) {
    return writer.status(
        workload,
        WorkloadTransitions.release(
            workload.status(), why.reason(), why.message(), reasons, writer.now()));
  }

  private Optional<Outcome> drain(Workload workload, WorkloadQueues queues) {
    if (queues.localQueueStopPolicy() == StopPolicy.HOLD_AND_DRAIN) {
      return writer.evict(workload, "LocalQueueStopped", "The LocalQueue is stopped");
    }
    return queues.clusterQueueStopPolicy() == StopPolicy.HOLD_AND_DRAIN
        ? writer.evict(workload, "ClusterQueueStopped", "The ClusterQueue is stopped")
        : Optional.empty();
  }
}
