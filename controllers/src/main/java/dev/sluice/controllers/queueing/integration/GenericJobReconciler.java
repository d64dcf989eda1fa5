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
 * Keeps a job and its workload in step, whatever kind of job it is. A queued job gets one workload;
 * it runs while that is admitted and not while it is not; an evicted one stops, and gives its quota
 * back once nothing of it runs; the end of either is the end of the other. A job that belongs to a
 * queued one has no workload and runs only with that. Everything else is left alone.
 */
public final class GenericJobReconciler {
  private final Cluster cluster;
  private final EventRecorder events;
  private final Configuration configuration;
  private final ManagedJobs managed;
  private final WorkloadMaker maker;
  private final JobWorkloadWriter writer;
  private final WorkloadMatcher search;
  private final ChildJobs family;
  private final DeactivatedJobRetention retirement;
  private final UnmanagedJob withdrawal;
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
    this.search =
        new WorkloadMatcher(cluster, byOwner, maker, writer, ConditionReasons.of(configuration));
    this.family = new ChildJobs(byOwner, writer);
    this.retirement = new DeactivatedJobRetention(cluster, configuration, writer);
    this.withdrawal = new UnmanagedJob(search, writer);
    this.progress = new WorkloadProgress(configuration);
  }

  /** Brings a job and its workload one step nearer to each other. */
  public Outcome advance(QueuedJob job) {
    ApiObject object = job.object();
    if (!managed.selectsNamespace(object.namespace())) {
      // One that nobody has told of yet may turn out to be selected.
      return managed.knowsNamespace(object.namespace()) ? withdrawal.of(job) : Outcome.DONE;
    }
    return switch (managed.ancestry(object)) {
      case Ancestry.TooDeep() -> {
        writer.warn(
            job,
            "JobNestingTooDeep",
            "More than %d levels of owners; the job is not queued"
                .formatted(ManagedJobs.MAX_LEVELS));
        yield Outcome.DONE;
      }
      case Ancestry.Child(ApiObject ancestor) -> {
        family.follow(job, ancestor);
        yield withdrawal.of(job);
      }
      case Ancestry.Free() -> managed.wantsQueue(object) ? queued(job) : withdrawal.of(job);
    };
  }

  private Outcome queued(QueuedJob job) {
    return switch (search.find(job)) {
      case WorkloadLookup.One(Workload workload) -> follow(job, workload);
      case WorkloadLookup.None() -> withoutWorkload(job);
      case WorkloadLookup.NotYet() -> later(job);
    };
  }

  private Outcome withoutWorkload(QueuedJob job) {
    if (job.finish().isPresent()) {
      job.letGo();
      return Outcome.DONE;
    }
    String message = "Missing Workload; unable to restore pod templates";
    if (job.running() && !writer.stop(job, Stop.Reason.NO_MATCHING_WORKLOAD, message, List.of())) {
      return later(job);
    }
    if (job.active()) {
      return later(job);
    }
    Workload made = maker.make(job);
    writer.create(job, job.elastic() ? WorkloadSlices.slice(made, Optional.empty()) : made);
    return Outcome.DONE;
  }

  private Outcome follow(QueuedJob job, Workload workload) {
    Optional<Finish> finish = job.finish();
    if (workload.finished()) {
      boolean resumed = finish.isEmpty() && job.running();
      return resumed ? stopAgain(job, workload) : release(job, workload);
    }
    if (finish.isPresent()) {
      writer.finish(job, workload, finish.get()); // also before giving up: what is over stays so
      return Outcome.DONE;
    }
    if (workload.object().isDeleting()) {
      return giveUp(job, workload);
    }
    Workload told = writer.report(workload, progress.of(job, workload, writer.now()));
    return told.status().holds(WorkloadStatus.EVICTED)
        ? evicted(job, told)
        : followAdmission(job, told);
  }

  /** Who resumes a job that could not start would have it run without quota. */
  private Outcome stopAgain(QueuedJob job, Workload workload) {
    String message = "The workload is finished";
    return writer.stop(job, Stop.Reason.NOT_ADMITTED, message, workload.podSets())
        ? release(job, workload)
        : later(job);
  }

  private Outcome release(QueuedJob job, Workload workload) {
    job.letGo();
    if (writer.release(workload)) {
      writer.tell(
          job,
          "FinishedWorkload",
          "Workload '%s' is declared finished".formatted(workload.object().path()));
    }
    return Outcome.DONE;
  }

  private Outcome giveUp(QueuedJob job, Workload workload) {
    if (!writer.stop(
        job, Stop.Reason.WORKLOAD_DELETED, "Workload is deleted", workload.podSets())) {
      return later(job);
    }
    job.letGo();
    writer.release(workload);
    return Outcome.DONE;
  }

  private Outcome evicted(QueuedJob job, Workload workload) {
    String message = workload.status().message(WorkloadStatus.EVICTED);
    if (!writer.stop(job, Stop.Reason.WORKLOAD_EVICTED, message, workload.podSets())) {
      return later(job);
    }
    if (workload.reserved()) {
      giveBack(job, workload, released(job, workload.status(), message));
      return Outcome.DONE;
    }
    Optional<Outcome> retired = retirement.of(job, workload);
    return retired.orElseGet(() -> followAdmission(job, workload));
  }

  /**
   * Writes that quota is free again, and how the job stands without it, at once: it may be admitted
   * again at once too, and then the pods that are gone must not be taken for the next ones.
   */
  private Workload giveBack(QueuedJob job, Workload workload, WorkloadStatus released) {
    var free = new Workload(workload.object().withStatus(released.tree()));
    return writer.report(workload, progress.of(job, free, writer.now()));
  }

  /** A pod that was stopped never runs again, so its quota must not be reserved anew. */
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
    // A slice may wait for its checks while the job runs on the one before.
    boolean keepsRunning = job.elastic() && workload.reserved();
    if (job.running() && !keepsRunning) {
      String message = "Not admitted by cluster queue";
      return writer.stop(job, Stop.Reason.NOT_ADMITTED, message, workload.podSets())
          ? Outcome.DONE
          : later(job);
    }
    await(job, workload);
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

  /** The other pods of a group may run already, and their quota is free when it is finished. */
  private Outcome cannotStart(QueuedJob job, Workload workload, String why) {
    if (!writer.stop(job, Stop.Reason.NOT_ADMITTED, why, workload.podSets())) {
      return later(job);
    }
    writer.finish(workload, "FailedToStart", why);
    return Outcome.DONE;
  }

  /** Quota of the queue that a job has left is given back first, once nothing runs on it. */
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
      free = giveBack(job, workload, left);
    }
    writer.update(free, free.withQueueName(queue));
    return Outcome.DONE;
  }

  /** Tells what the checks say. */
  private void await(QueuedJob job, Workload workload) {
    String messages =
        workload.status().admissionChecks().stream()
            .filter(check -> check.state().equals(CheckState.PENDING))
            .filter(check -> !check.message().isEmpty())
            .map(check -> check.name() + ": " + check.message())
            .collect(Collectors.joining("; "));
    if (!messages.isEmpty()) {
      writer.tell(job, "UpdatedAdmissionCheck", messages);
    }
  }

  /** When to look again at a job that is being stopped. */
  static Outcome later(QueuedJob job) {
    Optional<Duration> wait = job.inactiveAfter();
    return wait.isPresent() ? Outcome.again(wait.get()) : Outcome.DONE;
  }
}
