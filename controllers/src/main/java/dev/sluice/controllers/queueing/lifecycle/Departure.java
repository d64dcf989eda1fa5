package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.Transitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The end of workloads: what nobody owns any more is finished and let go, and what is finished is
 * deleted once it was kept for as long as the administrator wants. Nothing else happens to a
 * finished workload.
 */
final class Departure implements Step {
  private final Cluster cluster;
  private final Configuration configuration;
  private final List<ResourceKind> jobKinds;
  private final WorkloadWriter writer;

  Departure(
      Cluster cluster,
      Configuration configuration,
      List<ResourceKind> jobKinds,
      WorkloadWriter writer) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.jobKinds = List.copyOf(jobKinds);
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload workload) {
    boolean orphan = isOrphan(workload.object());
    if (workload.finished()) {
      return keepOrDelete(workload, orphan || workload.object().owners().isEmpty());
    }
    return orphan ? finish(workload) : Optional.empty();
  }

  /** Where the job that controls a workload would be, if it is of a kind that can be looked up. */
  Optional<ObjectKey> job(ApiObject workload) {
    return workload.controller().flatMap(owner -> job(workload, owner));
  }

  private Optional<ObjectKey> job(ApiObject workload, OwnerReference owner) {
    return jobKinds.stream()
        .filter(kind -> kind.kind().equals(owner.kind()) && kind.group().equals(owner.group()))
        .map(kind -> kind.key(workload.namespace(), owner.name()))
        .findFirst();
  }

  /** Without an owner only if it had one or is being deleted: people make workloads by hand too. */
  private boolean isOrphan(ApiObject workload) {
    if (workload.owners().isEmpty()) {
      boolean hadOwner = !workload.label(KueueNames.JOB_UID).isEmpty();
      return workload.isDeleting()
          || (hadOwner && configuration.has(Gate.FINISH_ORPHANED_WORKLOADS));
    }
    Optional<ObjectKey> job = job(workload);
    return job.isPresent()
        && job.flatMap(cluster::get)
            .filter(workload::isOwnedBy)
            .filter(found -> !found.isDeleting())
            .isEmpty();
  }

  private Optional<Outcome> finish(Workload workload) {
    String message = "The workload's owner no longer exists";
    return writer.status(
        workload, Transitions.finish(workload.status(), "OwnerNotFound", message, writer.now()));
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

  /** How long a finished workload is still kept; empty if for good. */
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
