package dev.sluice.controllers.queueing;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.PodTemplate;
import dev.sluice.model.kueue.PodSet;
import java.util.List;
import java.util.Optional;

/** Queueing of batch/v1 Jobs: one pod set, as many pods as run at once. */
public final class BatchJobs implements JobIntegration {
  private static final String POD_SET = "main";

  @Override
  public ResourceKind kind() {
    return Kinds.JOB;
  }

  @Override
  public boolean suspended(ApiObject job) {
    return new Job(job).isSuspended();
  }

  @Override
  public boolean active(ApiObject job) {
    JobStatus status = new Job(job).status();
    return status.active() + status.terminating() > 0;
  }

  @Override
  public List<PodSet> podSets(ApiObject object) {
    var job = new Job(object);
    long count = Math.min(job.parallelism(), job.completions().orElse(job.parallelism()));
    return List.of(PodSet.of(POD_SET, Math.toIntExact(count), new PodTemplate(job.template())));
  }

  @Override
  public Optional<Finish> finish(ApiObject object) {
    JobStatus status = new Job(object).status();
    return finish(status, JobStatus.COMPLETE).or(() -> finish(status, JobStatus.FAILED));
  }

  private static Optional<Finish> finish(JobStatus status, String type) {
    return status
        .condition(type)
        .filter(ignored -> status.holds(type))
        .map(end -> new Finish(type.equals(JobStatus.COMPLETE), end.text("message")));
  }

  @Override
  public ApiObject withSuspended(ApiObject job, boolean suspended) {
    return new Job(job).withSuspend(suspended).object();
  }

  @Override
  public ApiObject withPodSets(ApiObject job, List<PodSet> podSets) {
    return new Job(job).withTemplate(podSets.getFirst().template().tree()).object();
  }
}
