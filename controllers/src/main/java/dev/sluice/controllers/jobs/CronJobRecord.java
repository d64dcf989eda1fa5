package dev.sluice.controllers.jobs;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.batch.CronJob;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The Jobs of a CronJob: which are active, when one last succeeded, and which finished ones are
 * within the history limits. It deletes Jobs; the CronJob's status it only computes.
 */
final class CronJobRecord {
  /** Jobs that never started are deleted last. */
  private static final Comparator<Job> BY_START =
      Comparator.comparing((Job job) -> job.status().started().orElse(Instant.MAX))
          .thenComparing(Job::name);

  private final Cluster cluster;
  private final EventRecorder events;

  CronJobRecord(Cluster cluster, EventRecorder events) {
    this.cluster = cluster;
    this.events = events;
  }

  static boolean owns(CronJob cronJob, ApiObject job) {
    return job.controller()
        .map(OwnerReference::uid)
        .filter(cronJob.object().uid()::equals)
        .isPresent();
  }

  /**
   * The CronJob with the status that follows from its Jobs, after those beyond the history limits
   * are deleted.
   */
  CronJob updated(CronJob seen) {
    CronJob cronJob = seen;
    List<Job> jobs = jobs(cronJob);
    cronJob = trimmed(cronJob, jobs, JobStatus.COMPLETE, cronJob.successfulJobsKept());
    cronJob = trimmed(cronJob, jobs, JobStatus.FAILED, cronJob.failedJobsKept());
    for (Job job : jobs) {
      cronJob = noted(cronJob, job);
    }
    for (Tree reference : cronJob.active()) {
      boolean missing =
          jobs.stream().noneMatch(job -> job.object().uid().equals(reference.text("uid")));
      if (missing) {
        events.normal(
            seen.object(), "MissingJob", "Active job went missing: " + reference.text("name"));
        cronJob = cronJob.withoutActive(reference.text("uid"));
      }
    }
    return cronJob;
  }

  private List<Job> jobs(CronJob cronJob) {
    return cluster.list(Kinds.JOB, cronJob.namespace()).stream()
        .filter(job -> owns(cronJob, job))
        .map(Job::new)
        .toList();
  }

  private CronJob noted(CronJob before, Job job) {
    CronJob cronJob = before;
    boolean active = cronJob.counts(job.object());
    if (!job.isFinished()) {
      if (!active) {
        String message =
            "Saw a job that the controller did not create or forgot: %s".formatted(job.name());
        events.warning(cronJob.object(), "UnexpectedJob", message);
      }
      return cronJob;
    }
    boolean succeeded = job.status().holds(JobStatus.COMPLETE);
    if (active) {
      String ending = succeeded ? JobStatus.COMPLETE : JobStatus.FAILED;
      String message = "Saw completed job: %s, condition: %s".formatted(job.name(), ending);
      events.normal(cronJob.object(), "SawCompletedJob", message);
      cronJob = cronJob.withoutActive(job.object().uid());
    }
    Optional<Instant> success = succeeded ? job.status().completed() : Optional.empty();
    Instant last = cronJob.lastSuccess().orElse(Instant.MIN);
    return success.filter(last::isBefore).map(cronJob::withLastSuccess).orElse(cronJob);
  }

  private CronJob trimmed(CronJob before, List<Job> jobs, String ending, OptionalLong kept) {
    if (kept.isEmpty()) {
      return before;
    }
    List<Job> ended =
        jobs.stream()
            .filter(job -> job.status().holds(ending) && !job.object().isDeleting())
            .sorted(BY_START)
            .toList();
    CronJob cronJob = before;
    for (Job job : ended.subList(0, (int) Math.max(0, ended.size() - kept.getAsLong()))) {
      try {
        cronJob = without(cronJob, job.object());
      } catch (ApiException refused) {
        // A Job too many is kept for now: that is no reason not to start the next one.
      }
    }
    return cronJob;
  }

  /** The CronJob without its active Jobs, which are deleted. */
  CronJob withoutRunning(CronJob seen) {
    CronJob cronJob = seen;
    for (Tree reference : seen.active()) {
      Optional<ApiObject> job =
          cluster.get(Kinds.JOB.key(seen.namespace(), reference.text("name")));
      if (job.isPresent() && owns(seen, job.get())) {
        cronJob = without(cronJob, job.get());
      }
    }
    return cronJob;
  }

  private CronJob without(CronJob cronJob, ApiObject job) {
    try {
      cluster.delete(Kinds.JOB, job, Deletion.BACKGROUND);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        events.warning(cronJob.object(), "FailedDelete", "Deleted job: " + refused.getMessage());
        throw refused;
      }
    }
    events.normal(cronJob.object(), "SuccessfulDelete", "Deleted job " + job.name());
    return cronJob.withoutActive(job.uid());
  }
}
