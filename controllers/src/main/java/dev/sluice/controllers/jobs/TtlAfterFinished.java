package dev.sluice.controllers.jobs;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The TTL controller of finished Jobs: deletes a Job with its pods when its {@code
 * ttlSecondsAfterFinished} has passed, whichever controller ran it.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class TtlAfterFinished implements Controller {
  private static final Deletion WITH_PODS =
      new Deletion(Deletion.Propagation.FOREGROUND, OptionalLong.empty());

  private final Cluster cluster;

  public TtlAfterFinished(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "finished-jobs";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(Trigger.on(Kinds.JOB));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Job> found = cluster.get(key).map(Job::new).filter(job -> !job.object().isDeleting());
    Optional<Instant> end = found.flatMap(TtlAfterFinished::end);
    if (end.isEmpty()) {
      return Outcome.DONE;
    }
    Duration left = Duration.between(cluster.time().now(), end.get());
    if (left.isPositive()) {
      return Outcome.again(left);
    }
    try {
      cluster.delete(Kinds.JOB, found.orElseThrow().object(), WITH_PODS);
    } catch (ApiException refused) {
      // Gone already, or replaced by another Job of its name, which has an event of its own.
      if (!refused.is(ApiFailure.Reason.NOT_FOUND) && !refused.is(ApiFailure.Reason.CONFLICT)) {
        throw refused;
      }
    }
    return Outcome.DONE;
  }

  private static Optional<Instant> end(Job job) {
    return job.timeToLive().flatMap(time -> finished(job).map(moment -> moment.plus(time)));
  }

  private static Optional<Instant> finished(Job job) {
    JobStatus status = job.status();
    return List.of(JobStatus.COMPLETE, JobStatus.FAILED).stream()
        .filter(status::holds)
        .findFirst()
        .flatMap(type -> Condition.since(status.tree(), type));
  }
}
