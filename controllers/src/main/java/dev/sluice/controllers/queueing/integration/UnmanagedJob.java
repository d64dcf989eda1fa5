package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Controller.Outcome;
import java.util.Optional;

/**
 * The cleanup of a job that is no longer queued: its queue name was removed, it is owned by a
 * queued job now, or its namespace is not selected any more. An admitted workload whose job runs
 * stays until the job ends, and can still be preempted. Any other workload is removed: its
 * admission would not start the job, and its quota would be lost.
 */
final class UnmanagedJob {
  private final WorkloadMatcher matcher;
  private final JobWorkloadWriter writer;

  UnmanagedJob(WorkloadMatcher matcher, JobWorkloadWriter writer) {
    this.matcher = matcher;
    this.writer = writer;
  }

  Outcome of(QueuedJob job) {
    boolean done = true;
    for (Workload workload : matcher.own(job)) {
      done &= remove(job, workload);
    }
    return done ? Outcome.DONE : GenericJobReconciler.later(job);
  }

  /**
   * Removes or finishes a workload if it must not stay; returns false while the job is being
   * stopped.
   */
  private boolean remove(QueuedJob job, Workload workload) {
    if (workload.finished()) {
      writer.release(workload);
      return true;
    }
    Optional<Finish> finish = job.finish();
    if (finish.isPresent()) {
      writer.finish(job, workload, finish.get());
      return true;
    }
    boolean mayRunOn = job.running() && !mustStop(workload);
    if (mayRunOn && workload.admitted()) {
      return true;
    }
    if (!mayRunOn && !stop(job, workload)) {
      return false;
    }
    writer.remove(job, workload);
    return true;
  }

  private static boolean mustStop(Workload workload) {
    return workload.reserved()
        && (workload.status().holds(WorkloadStatus.EVICTED) || workload.object().isDeleting());
  }

  private boolean stop(QueuedJob job, Workload workload) {
    boolean evicted = workload.status().holds(WorkloadStatus.EVICTED);
    return evicted
        ? writer.stop(
            job,
            Stop.Reason.WORKLOAD_EVICTED,
            workload.status().message(WorkloadStatus.EVICTED),
            workload.podSets())
        : writer.stop(
            job, Stop.Reason.NOT_ADMITTED, "The job is no longer queued", workload.podSets());
  }
}
