package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.OrphanRule;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.Optional;

/**
 * The step that ends workloads: an orphaned workload is finished and loses its finalizer, and a
 * finished one is deleted after its retention. Nothing else happens to a finished workload. If an
 * owner reference is left whose job is gone, the job's integration removes the finalizer: it knows
 * whether the pods are gone too.
 */
final class CompletionStep implements WorkloadStep {
  private final Cluster cluster;
  private final Configuration configuration;
  private final WorkloadWriter writer;

  CompletionStep(Cluster cluster, Configuration configuration, WorkloadWriter writer) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload workload) {
    boolean orphan = OrphanRule.isOrphan(workload.object(), configuration);
    if (workload.finished()) {
      return keepOrDelete(workload, orphan || workload.object().owners().isEmpty());
    }
    return orphan ? finish(workload) : Optional.empty();
  }

  private Optional<Outcome> finish(Workload workload) {
    String message = "The workload's owner no longer exists";
    return writer.status(
        workload,
        WorkloadTransitions.finish(workload.status(), "OwnerNotFound", message, writer.now()));
  }

  private Optional<Outcome> keepOrDelete(Workload workload, boolean unowned) {
    ApiObject object = workload.object();
    Optional<Duration> left = left(workload.status());
    boolean expired = left.isPresent() && !left.get().isPositive();
    if (object.hasFinalizer(KueueNames.IN_USE) && (unowned || expired)) {
      return writer.withoutFinalizer(workload);
    }
    if (!expired) {
      return Optional.of(left.map(Outcome::again).orElse(Outcome.DONE));
    }
    if (!object.isDeleting()) {
      cluster.delete(Kinds.WORKLOAD, object, Deletion.BACKGROUND);
      writer.normal(workload, "Deleted", "Deleted finished workload due to elapsed retention");
    }
    return Optional.of(Outcome.DONE);
  }

  /** The rest of a finished workload's retention; empty if it is kept forever. */
  private Optional<Duration> left(WorkloadStatus status) {
    return configuration
        .retention()
        .afterFinished()
        .flatMap(kept ->
            status
                .since(WorkloadStatus.FINISHED)
                .map(end -> Duration.between(writer.now(), end.plus(kept))));
  }
}
