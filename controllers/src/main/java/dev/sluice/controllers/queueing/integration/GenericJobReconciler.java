package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.ManagedJobs.Ancestry;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The reconciliation of a job with its workload, for every kind of job. A queued job has one
 * workload and runs only while that is admitted. A job whose workload is evicted stops, and the
 * quota is released once none of its pods runs. When either is finished, so is the other. A job
 * that is owned by a queued job has no workload and runs only with its ancestor. All other jobs are
 * left alone.
 */
public final class GenericJobReconciler {
  private final Cluster cluster;
  private final EventRecorder events;
  private final Configuration configuration;
  private final ManagedJobs managed;
  private final WorkloadMaker maker;
  private final JobWorkloadWriter writer;
  private final WorkloadMatcher matcher;
  private final ChildJobs childJobs;
  private final DeactivatedJobRetention retention;
  private final UnmanagedJob unmanaged;
  private final WorkloadProgress progress;

  public GenericJobReconciler(
      Cluster cluster,
      Configuration configuration,
      EventRecorder events,
      ObjectIndex<String> byOwner) {
    this.cluster = cluster;
    this.events = events;
    this.configuration = configuration;
    this.managed = new ManagedJobs(cluster, configuration);
    this.maker = new WorkloadMaker(cluster, configuration);
    this.writer = new JobWorkloadWriter(cluster, events);
    this.matcher =
        new WorkloadMatcher(cluster, byOwner, maker, writer, ConditionReasons.of(configuration));
    this.childJobs = new ChildJobs(byOwner, writer);
    this.retention = new DeactivatedJobRetention(cluster, configuration, writer);
    this.unmanaged = new UnmanagedJob(matcher, writer);
    this.progress = new WorkloadProgress(configuration);
  }

  /** Does the next step for a job and its workload. */
  public Outcome reconcile(QueuedJob job) {
    ApiObject object = job.object();
    if (!managed.selectsNamespace(object.namespace())) {
      // A namespace that is not known yet may turn out to be selected.
      return managed.knowsNamespace(object.namespace()) ? unmanaged.of(job) : Outcome.DONE;
    }
    return switch (managed.ancestry(object)) {
      case Ancestry.TooDeep() -> {
        writer.warning(
            job,
            "JobNestingTooDeep",
            "More than %d levels of owners; the job is not queued"
                .formatted(ManagedJobs.MAX_LEVELS));
        yield Outcome.DONE;
      }
      case Ancestry.Child(ApiObject ancestor) -> {
        childJobs.suspendUnlessAdmitted(job, ancestor);
        yield unmanaged.of(job);
      }
      case Ancestry.Free() -> managed.wantsQueue(object) ? queued(job) : unmanaged.of(job);
    };
  }

  private Outcome queued(QueuedJob job) {
    return switch (matcher.find(job)) {
      case WorkloadLookup.One(Workload workload) -> reconcileWorkload(job, workload);
      case WorkloadLookup.None() -> withoutWorkload(job);
      case WorkloadLookup.NotYet() -> later(job);
    };
  }

  private Outcome withoutWorkload(QueuedJob job) {
    if (job.finish().isPresent()) {
      job.removeFinalizers();
      return Outcome.DONE;
    }
    String message = "Missing Workload; unable to restore pod templates";
    if (job.running() && !writer.stop(job, Stop.Reason.NO_MATCHING_WORKLOAD, message, List.of())) {
      return later(job);
    }
    if (job.active()) {
      return later(job);
    }
    try {
      Workload made = maker.make(job);
      writer.create(job, job.elastic() ? WorkloadSlices.slice(made, Optional.empty()) : made);
    } catch (ApiException refused) {
      reportRefusal(job, refused);
      throw refused;
    }
    return Outcome.DONE;
  }

  /** A user sees an event; the retries of an overloaded or stale API server are no news. */
  private void reportRefusal(QueuedJob job, ApiException refused) {
    switch (refused.failure().reason()) {
      case INVALID, BAD_REQUEST, FORBIDDEN, NOT_FOUND ->
          writer.warning(
              job, "ErrWorkloadCompose", "No Workload was created: " + refused.getMessage());
      default -> {}
    }
  }

  private Outcome reconcileWorkload(QueuedJob job, Workload workload) {
    Optional<Finish> finish = job.finish();
    if (workload.finished()) {
      boolean resumed = finish.isEmpty() && job.running();
      return resumed ? stopAgain(job, workload) : release(job, workload);
    }
    if (finish.isPresent()) {
      writer.finish(
          job,
          workload,
          finish.get()); // also if the workload is being deleted: a finished job stays finished
      return Outcome.DONE;
    }
    if (workload.object().isDeleting()) {
      return workloadDeleted(job, workload);
    }
    Workload counted = writer.report(workload, progress.of(job, workload, writer.now()));
    Workload reported = writer.update(counted, WorkloadSlices.counted(counted));
    return reported.status().holds(WorkloadStatus.EVICTED)
        ? evicted(job, reported)
        : followAdmission(job, reported);
  }

  /** A job that a user resumes after its workload is finished would run without quota. */
  private Outcome stopAgain(QueuedJob job, Workload workload) {
    String message = "The workload is finished";
    return writer.stop(job, Stop.Reason.NOT_ADMITTED, message, workload.podSets())
        ? release(job, workload)
        : later(job);
  }

  private Outcome release(QueuedJob job, Workload workload) {
    job.removeFinalizers();
    if (writer.release(workload)) {
      writer.normal(
          job,
          "FinishedWorkload",
          "Workload '%s' is declared finished".formatted(workload.object().path()));
    }
    return Outcome.DONE;
  }

  private Outcome workloadDeleted(QueuedJob job, Workload workload) {
    if (!writer.stop(
        job, Stop.Reason.WORKLOAD_DELETED, "Workload is deleted", workload.podSets())) {
      return later(job);
    }
    job.removeFinalizers();
    writer.release(workload);
    return Outcome.DONE;
  }

  private Outcome evicted(QueuedJob job, Workload workload) {
    String message = workload.status().message(WorkloadStatus.EVICTED);
    if (!writer.stopEvicted(job, workload)) {
      return later(job);
    }
    if (workload.reserved()) {
      releaseQuota(job, workload, released(job, workload.status(), message));
      return Outcome.DONE;
    }
    Optional<Outcome> deleted = retention.of(job, workload);
    return deleted.orElseGet(() -> followAdmission(job, workload));
  }

  /**
   * Releases the quota and updates the progress of the job in the same write: the workload may be
   * admitted again right away, and the pods that are gone must not count as those of the next
   * start.
   */
  private Workload releaseQuota(QueuedJob job, Workload workload, WorkloadStatus released) {
    var free = new Workload(workload.object().withStatus(released.tree()));
    return writer.report(workload, progress.of(job, free, writer.now()));
  }

  /** A pod that was stopped never runs again, so its quota must not be reserved again. */
  private WorkloadStatus released(QueuedJob job, WorkloadStatus status, String message) {
    WorkloadStatus released =
        WorkloadTransitions.releaseEvicted(
            status, ConditionReasons.of(configuration), writer.now());
    boolean gone = !job.group() && job.object().isA(Kinds.POD) && !job.held();
    if (!gone || !configuration.has(Gate.SKIP_REASSIGNMENT_FOR_POD_OWNED)) {
      return released;
    }
    String reason = status.reason(WorkloadStatus.EVICTED);
    return released.with(
        WorkloadTransitions.condition(WorkloadStatus.REQUEUED, false, reason, message),
        writer.now());
  }

  private Outcome followAdmission(QueuedJob job, Workload workload) {
    String queue = ManagedJobs.queueName(job.object());
    if (!job.running() && !workload.queueName().equals(queue)) {
      return move(job, workload, queue);
    }
    if (workload.admitted() && workload.admission().isPresent()) {
      return job.held() ? start(job, workload, workload.admission().get()) : Outcome.DONE;
    }
    // A slice may wait for its checks while the job runs on its predecessor.
    boolean keepsRunning = job.elastic() && workload.reserved();
    if (job.running() && !keepsRunning) {
      String message = "Not admitted by cluster queue";
      return writer.stop(job, Stop.Reason.NOT_ADMITTED, message, workload.podSets())
          ? Outcome.DONE
          : later(job);
    }
    reportPendingChecks(job, workload);
    return Outcome.DONE;
  }

  private Outcome start(QueuedJob job, Workload workload, Admission admission) {
    try {
      var started = job.start(PodSetInfo.of(cluster, configuration, workload, admission));
      String message = "Admitted by clusterQueue " + admission.clusterQueue();
      started.forEach(member -> events.normal(member, "Started", message));
      return Outcome.DONE;
    } catch (PodSetConflict permanent) {
      String why = Optional.ofNullable(permanent.getMessage()).orElse("");
      return cannotStart(job, workload, why);
    }
  }

  /**
   * Other pods of a group may run already; they are stopped before the workload is finished and its
   * quota released.
   */
  private Outcome cannotStart(QueuedJob job, Workload workload, String why) {
    if (!writer.stop(job, Stop.Reason.NOT_ADMITTED, why, workload.podSets())) {
      return later(job);
    }
    writer.finish(workload, "FailedToStart", why);
    return Outcome.DONE;
  }

  /**
   * Moves a workload to another queue. Quota in the previous queue is released first, once no pod
   * uses it.
   */
  private Outcome move(QueuedJob job, Workload workload, String queue) {
    Workload free = workload;
    if (workload.reserved()) {
      String message = "The job left LocalQueue " + workload.queueName();
      if (!writer.stop(job, Stop.Reason.NOT_ADMITTED, message, workload.podSets())) {
        return later(job);
      }
      WorkloadStatus left =
          WorkloadTransitions.leave(
              workload.status(), message, ConditionReasons.of(configuration), writer.now());
      free = releaseQuota(job, workload, left);
    }
    writer.update(free, free.withQueueName(queue));
    return Outcome.DONE;
  }

  /** Records an event with the messages of the pending checks. */
  private void reportPendingChecks(QueuedJob job, Workload workload) {
    String messages =
        workload.status().admissionChecks().stream()
            .filter(check -> check.state().equals(CheckState.PENDING))
            .filter(check -> !check.message().isEmpty())
            .map(check -> check.name() + ": " + check.message())
            .collect(Collectors.joining("; "));
    if (!messages.isEmpty()) {
      writer.normal(job, "UpdatedAdmissionCheck", messages);
    }
  }

  /** The outcome for a job that is being stopped. */
  static Outcome later(QueuedJob job) {
    Optional<Duration> wait = job.inactiveAfter();
    return wait.isPresent() ? Outcome.again(wait.get()) : Outcome.DONE;
  }
}
