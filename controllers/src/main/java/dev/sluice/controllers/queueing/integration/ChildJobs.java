package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * The jobs that are owned by a queued job: they have no workload of their own, and run only with
 * their ancestor.
 */
final class ChildJobs {
  private final ObjectIndex<String> byOwner;
  private final JobWorkloadWriter writer;

  ChildJobs(ObjectIndex<String> byOwner, JobWorkloadWriter writer) {
    this.byOwner = byOwner;
    this.writer = writer;
  }

  /** Suspends a job that runs although its ancestor must not. */
  void suspendUnlessAdmitted(QueuedJob job, ApiObject ancestor) {
    if (job.running() && job.finish().isEmpty() && !mayRun(ancestor) && job.suspend()) {
      writer.normal(job, "Suspended", "Kueue managed child job suspended");
    }
  }

  private boolean mayRun(ApiObject ancestor) {
    Optional<Workload> latest =
        byOwner.objects(JobTerms.ownedBy(ancestor)).stream()
            .filter(workload -> workload.isOwnedBy(ancestor))
            .map(Workload::new)
            .filter(workload -> !workload.finished())
            .max(
                Comparator.comparing((Workload workload) -> created(workload))
                    .thenComparing(workload -> workload.object().name()));
    return latest.map(ChildJobs::mayRun).orElse(false);
  }

  /** The newest slice of an elastic job may be pending while the job runs on its predecessor. */
  private static boolean mayRun(Workload workload) {
    return WorkloadSlices.isSlice(workload)
        ? !workload.status().holds(WorkloadStatus.EVICTED)
        : workload.admitted();
  }

  private static Instant created(Workload workload) {
    return workload.object().created().orElse(Instant.MAX);
  }
}
