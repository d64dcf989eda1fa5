package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.time.Instant;
import java.util.List;

/**
 * The writer of the workloads of jobs, with the events on the jobs. It adds its own writes to the
 * index of workloads by owner, which the watch would do only later.
 */
final class JobWorkloadWriter {
  private final Cluster cluster;
  private final EventRecorder events;

  JobWorkloadWriter(Cluster cluster, EventRecorder events) {
    this.cluster = cluster;
    this.events = events;
  }

  Instant now() {
    return cluster.time().now();
  }

  void normal(QueuedJob job, String reason, String message) {
    job.members().forEach(member -> events.normal(member, reason, message));
  }

  void warning(QueuedJob job, String reason, String message) {
    job.members().forEach(member -> events.warning(member, reason, message));
  }

  /** Does the next step of stopping a job; returns whether it has stopped. */
  boolean stop(QueuedJob job, Stop.Reason reason, String message, List<PodSet> original) {
    return stop(job, new Stop(reason, "", message, original));
  }

  /** Does the next step of stopping the job of an evicted workload. */
  boolean stopEvicted(QueuedJob job, Workload workload) {
    String evicted = WorkloadStatus.EVICTED;
    return stop(
        job,
        new Stop(
            Stop.Reason.WORKLOAD_EVICTED,
            workload.status().reason(evicted),
            workload.status().message(evicted),
            workload.podSets()));
  }

  private boolean stop(QueuedJob job, Stop stop) {
    return switch (job.stop(stop)) {
      case BEGUN -> {
        normal(job, "Stopped", stop.message());
        yield false;
      }
      case WAITING -> false;
      case DONE -> true;
    };
  }

  Workload create(QueuedJob job, Workload workload) {
    ApiObject created = cluster.create(Kinds.WORKLOAD, workload.object());
    normal(job, "CreatedWorkload", "Created Workload: " + created.path());
    return new Workload(created);
  }

  /** Writes the spec and the metadata if they have changed. */
  Workload update(Workload before, Workload after) {
    if (after.equals(before)) {
      return before;
    }
    return new Workload(cluster.update(Kinds.WORKLOAD, after.object()));
  }

  /** Writes a spec that was changed to match the job. */
  Workload updateToMatch(QueuedJob job, Workload before, Workload after) {
    Workload updated = update(before, after);
    normal(
        job, "UpdatedWorkload", "Updated not matching Workload for suspended job: " + path(after));
    return updated;
  }

  private static String path(Workload workload) {
    return workload.object().path();
  }

  /** Writes the status if it has changed. */
  Workload report(Workload workload, WorkloadStatus status) {
    return status.tree().equals(workload.object().status())
        ? workload
        : new Workload(
            cluster.patchStatus(
                Kinds.WORKLOAD,
                workload.object(),
                Condition.observed(workload.object(), status.tree())));
  }

  /** Finishes the workload of a finished job. */
  void finish(QueuedJob job, Workload workload, Finish finish) {
    finish(workload, finish.succeeded() ? "Succeeded" : "Failed", finish.message());
    job.removeFinalizers();
  }

  /** Finishes a workload; its finalizer is removed when the job is reconciled next. */
  Workload finish(Workload workload, String reason, String message) {
    return report(workload, WorkloadTransitions.finish(workload.status(), reason, message, now()));
  }

  /** Finishes a slice that another one replaces; returns the other. */
  Workload replace(Workload slice, Workload successor) {
    Workload updated = report(successor, SliceRules.continued(slice, successor, now()));
    String message = SliceRules.message(successor);
    release(finish(slice, SliceRules.REPLACED, message));
    events.normal(slice.object(), SliceRules.REPLACED, message);
    return updated;
  }

  /** Removes the finalizer of a workload; returns whether it had one. */
  boolean release(Workload workload) {
    if (!workload.object().hasFinalizer(KueueNames.IN_USE)) {
      return false;
    }
    cluster.update(Kinds.WORKLOAD, workload.object().withoutFinalizer(KueueNames.IN_USE));
    return true;
  }

  /** Deletes a workload that nothing uses. */
  void remove(QueuedJob job, Workload workload) {
    release(workload);
    // A workload that was deleted before is gone with its last finalizer.
    cluster
        .get(workload.object().key(Kinds.WORKLOAD))
        .filter(left -> left.uid().equals(workload.object().uid()) && !left.isDeleting())
        .ifPresent(left -> cluster.delete(Kinds.WORKLOAD, left, Deletion.BACKGROUND));
    normal(job, "DeletedWorkload", "Deleted not matching Workload: " + path(workload));
  }

  /** Makes all members of a job owners of its workload. */
  Workload adopt(QueuedJob job, Workload workload) {
    ApiObject owned = WorkloadMaker.withOwners(workload.object(), job);
    Workload adopted = update(workload, new Workload(owned));
    long added =
        job.members().stream().filter(member -> !workload.object().isOwnedBy(member)).count();
    if (added > 0) {
      events.normal(
          adopted.object(), "OwnerReferencesAdded", "Added %d owner reference(s)".formatted(added));
    }
    return adopted;
  }
}
