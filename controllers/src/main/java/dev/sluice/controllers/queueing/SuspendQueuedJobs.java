package dev.sluice.controllers.queueing;

import dev.sluice.controllers.queueing.integration.JobIntegration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.AdmissionHook;

/** A job that names a queue is created suspended, so that none of its pods runs before its turn. */
public final class SuspendQueuedJobs implements AdmissionHook {
  private final JobIntegration integration;

  public SuspendQueuedJobs(JobIntegration integration) {
    this.integration = integration;
  }

  @Override
  public ResourceKind kind() {
    return integration.kind();
  }

  @Override
  public ApiObject onCreate(ApiObject job) {
    return job.label(KueueNames.QUEUE_NAME).isEmpty() ? job : integration.withSuspended(job, true);
  }
}
