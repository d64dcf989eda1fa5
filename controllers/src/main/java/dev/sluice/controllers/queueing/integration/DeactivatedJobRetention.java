package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.Optional;

/** The deletion of jobs whose workload Kueue has deactivated, after a configured retention. */
final class DeactivatedJobRetention {
  private final Cluster cluster;
  private final Configuration configuration;
  private final JobWorkloadWriter writer;

  DeactivatedJobRetention(Cluster cluster, Configuration configuration, JobWorkloadWriter writer) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.writer = writer;
  }

  /** Deletes a job whose retention is over, or returns when it will be; empty without retention. */
  Optional<Outcome> of(QueuedJob job, Workload workload) {
    Optional<Duration> kept = configuration.retention().afterDeactivatedByKueue();
    boolean deactivated =
        !workload.active()
            && workload.status().reason(WorkloadStatus.EVICTED).startsWith("DeactivatedDueTo");
    if (kept.isEmpty() || !deactivated) {
      return Optional.empty();
    }
    Duration left =
        workload
            .status()
            .since(WorkloadStatus.EVICTED)
            .map(since -> Duration.between(writer.now(), since.plus(kept.get())))
            .orElse(Duration.ZERO);
    if (left.isPositive()) {
      return Optional.of(Outcome.again(left));
    }
    // Its pods are not counted any more, and no replacement is awaited.
    job.removeFinalizers();
    for (ApiObject member : job.members()) {
      cluster
          .get(member.key(job.kind()))
          .filter(found -> found.uid().equals(member.uid()) && !found.isDeleting())
          .ifPresent(found -> cluster.delete(job.kind(), found, Deletion.BACKGROUND));
    }
    writer.normal(job, "Deleted", "Deleted job because it was deactivated by Kueue");
    return Optional.of(Outcome.DONE);
  }
}
