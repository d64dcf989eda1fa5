package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Controller.Outcome;
import java.util.Optional;

/**
 * The way out of queueing, for a job that has left its queue, that belongs to a queued one by now,
 * or whose namespace is not selected any more. What runs on quota may run to its end and still
 * gives way to others; nothing else of it stays in line, because nobody would start what is
 * admitted, and its quota would be held for nobody.
 */
final class UnmanagedJob {
  private final WorkloadMatcher search;
  private final JobWorkloadWriter writer;

  UnmanagedJob(WorkloadMatcher search, JobWorkloadWriter writer) {
    this.search = search;
    this.writer = writer;
  }

  Outcome of(QueuedJob job) {
    boolean done = true;
    for (Workload workload : search.own(job)) {
      done &= withdraw(job, workload);
    }
    return done ? Outcome.DONE : GenericJobReconciler.later(job);
  }

  /** Returns whether there is nothing to wait for. */
  private boolean withdraw(QueuedJob job, Workload workload) {
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
