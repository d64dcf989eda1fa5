package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.EventRecorder;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The writer of the workloads of jobs, with the events about them. */
final class JobWorkloadWriter {
  /** Why a slice is finished whose place another one has taken. */
  static final String REPLACED = "WorkloadSliceReplaced";

  private final Cluster cluster;
  private final EventRecorder events;

  JobWorkloadWriter(Cluster cluster, EventRecorder events) {
    this.cluster = cluster;
    this.events = events;
  }

  Instant now() {
    return cluster.time().now();
  }

  void tell(QueuedJob job, String reason, String message) {
    job.members().forEach(member -> events.normal(member, reason, message));
  }

  void warn(QueuedJob job, String reason, String message) {
    job.members().forEach(member -> events.warning(member, reason, message));
  }

  /** Does the next step of stopping a job; returns whether it has stopped. */
  boolean stop(QueuedJob job, Stop.Reason reason, String message, List<PodSet> original) {
    return switch (job.stop(new Stop(reason, message, original))) {
      case BEGUN -> {
        tell(job, "Stopped", message);
        yield false;
      }
      case WAITING -> false;
      case DONE -> true;
    };
  }

  Workload create(QueuedJob job, Workload workload) {
    ApiObject created = cluster.create(Kinds.WORKLOAD, workload.object());
    tell(job, "CreatedWorkload", "Created Workload: " + created.path());
    return new Workload(created);
  }

  /** Writes the spec and the metadata, if they changed. */
  Workload update(Workload before, Workload after) {
    if (after.equals(before)) {
      return before;
    }
    return new Workload(cluster.update(Kinds.WORKLOAD, after.object()));
  }

  /** Writes a spec that follows its job. */
  Workload follow(QueuedJob job, Workload before, Workload after) {
    Workload updated = update(before, after);
    tell(job, "UpdatedWorkload", "Updated not matching Workload for suspended job: " + path(after));
    return updated;
  }

  private static String path(Workload workload) {
    return workload.object().path();
  }

  /** Writes the status, if it changed. */
  Workload report(Workload workload, WorkloadStatus status) {
    return status.tree().equals(workload.object().status())
        ? workload
        : new Workload(
            cluster.patchStatus(
                Kinds.WORKLOAD,
                workload.object(),
                Condition.observed(workload.object(), status.tree())));
  }

  /** The job is over, and so is what stands for it. */
  void finish(QueuedJob job, Workload workload, Finish finish) {
    finish(workload, finish.succeeded() ? "Succeeded" : "Failed", finish.message());
    job.letGo();
  }

  /** The workload is over; what holds it is taken away when its job has seen that. */
  Workload finish(Workload workload, String reason, String message) {
    return report(workload, WorkloadTransitions.finish(workload.status(), reason, message, now()));
  }

  /** Ends a slice whose place another one has taken; returns that one. */
  Workload replace(Workload slice, Workload by) {
    Workload heir = by.maximumExecutionTime().isEmpty() ? by : inheriting(slice, by);
    String message =
        "Replaced to accommodate a workload (UID: %s) with another size of its job"
            .formatted(by.object().uid());
    release(finish(slice, REPLACED, message));
    events.normal(slice.object(), REPLACED, message);
    return heir;
  }

  /** With the time that its job ran on another slice: changing its size must not win it more. */
  private Workload inheriting(Workload slice, Workload by) {
    Instant end = by.status().since(WorkloadStatus.ADMITTED).orElseGet(this::now);
    Duration past = WorkloadTransitions.executionTime(slice.status(), end);
    return report(by, by.status().withAccumulatedExecutionTime(past));
  }

  /** Returns whether the workload was still held. */
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
    // What was deleted before goes with its last finalizer.
    cluster
        .get(workload.object().key(Kinds.WORKLOAD))
        .filter(left -> left.uid().equals(workload.object().uid()) && !left.isDeleting())
        .ifPresent(left -> cluster.delete(Kinds.WORKLOAD, left, Deletion.BACKGROUND));
    tell(job, "DeletedWorkload", "Deleted not matching Workload: " + path(workload));
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
