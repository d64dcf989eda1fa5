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

/** Deletes jobs some time after queueing has given them up, where an administrator asks for it. */
final class DeactivatedJobRetention {
  private final Cluster cluster;
  private final Configuration configuration;
  private final JobWorkloadWriter writer;

  DeactivatedJobRetention(Cluster cluster, Configuration configuration, JobWorkloadWriter writer) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.writer = writer;
  }

  /** Deletes a job whose time has come or says when it comes; empty if it never does. */
  Optional<Outcome> of(QueuedJob job, Workload workload) {
    Optional<Duration> kept = configuration.retention().afterDeactivatedByKueue();
    boolean givenUp =
        !workload.active()
            && workload.status().reason(WorkloadStatus.EVICTED).startsWith("DeactivatedDueTo");
    if (kept.isEmpty() || !givenUp) {
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
    // Nobody waits to see the end of its pods any more, nor for others in place of them.
    job.letGo();
    for (ApiObject member : job.members()) {
      cluster
          .get(member.key(job.kind()))
          .filter(found -> found.uid().equals(member.uid()) && !found.isDeleting())
          .ifPresent(found -> cluster.delete(job.kind(), found, Deletion.BACKGROUND));
    }
    writer.tell(job, "Deleted", "Deleted job because it was deactivated by Kueue");
    return Optional.of(Outcome.DONE);
  }
}
