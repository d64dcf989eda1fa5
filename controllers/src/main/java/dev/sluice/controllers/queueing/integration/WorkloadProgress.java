package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The progress of a job in the status of its workload: reclaimable pods and the condition
 * PodsReady.
 */
final class WorkloadProgress {
  private static final String WAIT_FOR_START = "WaitForStart";
  private static final String WAIT_FOR_RECOVERY = "WaitForRecovery";
  private static final String RECOVERED = "Recovered";

  private final Configuration configuration;

  WorkloadProgress(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The status with the conditions of the kind, the reclaimable pods, and their readiness. */
  WorkloadStatus of(QueuedJob job, Workload workload, Instant now) {
    WorkloadStatus status = job.report(workload.status(), now);
    if (configuration.has(Gate.RECLAIMABLE_PODS)) {
      boolean onlyGrows = workload.reserved() && !job.elastic();
      status = withReclaimable(status, reclaimable(job, workload), onlyGrows);
    }
    return configuration.waitForPodsReady().isPresent()
        ? status.with(readiness(job, workload), now)
        : status;
  }

  /** The reclaimable pods of a workload. */
  private static SortedMap<String, Integer> reclaimable(QueuedJob job, Workload workload) {
    SortedMap<String, Integer> ofJob = job.reclaimablePods();
    if (!job.elastic()) {
      return ofJob;
    }
    // While a job scales up, the slice that it runs on has fewer pods than the job.
    var ofSlice = new TreeMap<String, Integer>();
    for (PodSet wanted : job.podSets()) {
      int needed = wanted.count() - ofJob.getOrDefault(wanted.name(), 0);
      workload.podSets().stream()
          .filter(admitted -> admitted.name().equals(wanted.name()) && admitted.count() > needed)
          .forEach(admitted -> ofSlice.put(admitted.name(), admitted.count() - needed));
    }
    return ofSlice;
  }

  /**
   * While quota is reserved, reclaimable pods stay reclaimable; but an elastic job scales down
   * ended pods first.
   */
  private static WorkloadStatus withReclaimable(
      WorkloadStatus status, SortedMap<String, Integer> counts, boolean onlyGrows) {
    SortedMap<String, Integer> before = status.reclaimablePods();
    var after = new TreeMap<>(counts);
    if (onlyGrows) {
      before.forEach((podSet, count) -> after.merge(podSet, count, Math::max));
    }
    return after.equals(before) ? status : status.withReclaimablePods(after);
  }

  static Condition readiness(QueuedJob job, Workload workload) {
    WorkloadStatus status = workload.status();
    String before = status.reason(WorkloadStatus.PODS_READY);
    if (!workload.admitted()) {
      return notReady(WAIT_FOR_START);
    }
    if (job.podsReady()) {
      boolean again = before.equals(WAIT_FOR_RECOVERY) || before.equals(RECOVERED);
      return WorkloadTransitions.condition(
          WorkloadStatus.PODS_READY,
          true,
          again ? RECOVERED : "Started",
          "All pods reached readiness and the workload is running");
    }
    boolean lost = status.holds(WorkloadStatus.PODS_READY) || before.equals(WAIT_FOR_RECOVERY);
    return notReady(lost ? WAIT_FOR_RECOVERY : WAIT_FOR_START);
  }

  private static Condition notReady(String reason) {
    String message =
        reason.equals(WAIT_FOR_START)
            ? "Not all pods are ready or succeeded"
            : "At least one pod has failed, waiting for recovery";
    return WorkloadTransitions.condition(WorkloadStatus.PODS_READY, false, reason, message);
  }
}
