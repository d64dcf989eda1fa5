package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.batch.Job;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;

/**
 * The admission rules for queued batch/v1 Jobs: a queued Job is created suspended, so that no pod
 * runs before its workload is admitted. A Job that is owned by a queued job is left alone; its
 * owner is the one that is queued.
 */
final class JobQueueingRules implements AdmissionHook {
  private final QueuedJobRules queued;
  private final PartialStartRules partial;

  JobQueueingRules(Cluster cluster, Configuration configuration) {
    this.queued = new QueuedJobRules(cluster, configuration);
    this.partial = new PartialStartRules(queued);
  }

  @Override
  public ResourceKind kind() {
    return Kinds.JOB;
  }

  @Override
  public ApiObject onCreate(ApiObject job) {
    if (!queued.mayBeQueued(job)) {
      return job;
    }
    ApiObject complete = queued.withDefaults(job);
    return queued.wantsQueue(complete) ? new Job(complete).withSuspend(true).object() : complete;
  }

  @Override
  public void checkCreate(ApiObject job) {
    ValidationErrors problems = problems(job);
    queued.checkAncestry(job, problems);
    partial.checkMinimum(job, problems);
    problems.deny(kind(), job.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors problems = problems(after);
    queued.checkChange(
        new QueuedJobRules.Change(
            before, after, new Job(before).isSuspended(), new Job(after).isSuspended()),
        problems);
    partial.checkChange(before, after, problems);
    problems.denyNew(problems(before), kind(), after.name());
  }

  private ValidationErrors problems(ApiObject job) {
    var problems = new ValidationErrors();
    queued.check(job, problems);
    partial.checkSynchronized(job, problems);
    return problems;
  }
}
