package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;

/**
 * The admission rules for queued jobs of a kind that can be suspended: a queued job is created
 * suspended, so that no pod runs before its workload is admitted. A job that is owned by a queued
 * job is left alone; its owner is the one that is queued.
 */
final class SuspendedJobRules implements AdmissionHook {
  private final QueuedJobRules queued;
  private final JobIntegration integration;

  SuspendedJobRules(Cluster cluster, Configuration configuration, JobIntegration integration) {
    this.queued = new QueuedJobRules(cluster, configuration);
    this.integration = integration;
  }

  @Override
  public ResourceKind kind() {
    return integration.kind();
  }

  @Override
  public ApiObject onCreate(ApiObject job) {
    if (!queued.mayBeQueued(job)) {
      return job;
    }
    ApiObject complete = queued.withDefaults(job);
    return queued.wantsQueue(complete) ? integration.withSuspended(complete, true) : complete;
  }

  @Override
  public void checkCreate(ApiObject job) {
    ValidationErrors problems = problems(job);
    queued.checkAncestry(job, problems);
    problems.deny(kind(), job.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors problems = problems(after);
    queued.checkChange(
        new QueuedJobRules.Change(
            before, after, integration.suspended(before), integration.suspended(after)),
        problems);
    problems.denyNew(problems(before), kind(), after.name());
  }

  private ValidationErrors problems(ApiObject job) {
    var problems = new ValidationErrors();
    queued.check(job, problems);
    return problems;
  }
}
