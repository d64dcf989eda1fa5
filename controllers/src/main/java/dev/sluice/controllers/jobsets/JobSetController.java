package dev.sluice.controllers.jobsets;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.Measured;
import dev.sluice.controllers.NotifyingCluster;
import dev.sluice.controllers.ObjectIndex;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSet.RestartStrategy;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/**
 * The controller of JobSets: creates their Jobs in the order of their dependencies, and makes all
 * of them again, completes or fails the JobSet when Jobs end.
 *
 * <p>A reconcile looks at the Jobs, decides, writes the Jobs, and last the status, in one write. So
 * a restart is first counted; the Jobs of the attempt before go in the reconcile that follows.
 *
 * <p>JobSets whose {@code managedBy} names another controller are ignored.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class JobSetController implements Controller, Measured {
  private static final Deletion WITH_JOBS =
      new Deletion(Deletion.Propagation.FOREGROUND, OptionalLong.empty());

  private final Cluster cluster;
  private final EventRecorder events;
  private final ObjectIndex<String> jobs;
  private final ChildJobWriter writer;
  private final SharedObjects shared;
  private final JobSetMeters meters = new JobSetMeters();

  public JobSetController(Cluster world) {
    this.jobs =
        new ObjectIndex<>(
            world,
            Kinds.JOB,
            job -> job.controller().map(owner -> List.of(owner.uid())).orElse(List.of()));
    this.cluster = new NotifyingCluster(world, Kinds.JOB, jobs::changed);
    this.events = new EventRecorder(cluster, "jobset");
    this.writer = new ChildJobWriter(cluster, events);
    this.shared = new SharedObjects(cluster);
  }

  @Override
  public String name() {
    return "jobsets";
  }

  @Override
  public List<Trigger> triggers() {
    Trigger ofJobs = Trigger.onOwned(Kinds.JOB, Kinds.JOB_SET);
    return List.of(
        Trigger.on(Kinds.JOB_SET),
        new Trigger(Kinds.JOB, event -> jobChanged(event, ofJobs)),
        Trigger.onOwned(Kinds.SERVICE, Kinds.JOB_SET));
  }

  private List<ObjectKey> jobChanged(ObjectEvent event, Trigger ofJobs) {
    jobs.changed(event.object());
    return ofJobs.keys().apply(event);
  }

  @Override
  public MetricSnapshots measurements() {
    return meters.collect();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<JobSet> found =
        cluster
            .get(key)
            .map(JobSet::new)
            .filter(set -> !set.object().isDeleting() && set.isManagedHere());
    return found.map(this::sync).orElse(Outcome.DONE);
  }

  private Outcome sync(JobSet set) {
    OwnedJobs owned = OwnedJobs.of(set, jobs.objects(set.object().uid()));
    List<ReplicatedJobCounts> counts = ReplicatedJobCounts.all(set, owned);
    var status = new StatusDraft(set, cluster.time().now());
    status.set("replicatedJobsStatus", ReplicatedJobCounts.field(counts));
    if (set.isFinished()) {
      writer.delete(owned.active());
      return end(status.write(cluster, events));
    }
    writer.delete(owned.previous());
    Optional<ApiException> refused =
        switch (JobSetOutcome.of(set, owned)) {
          case JobSetOutcome.Open _ -> goOn(set, owned, counts, status);
          case JobSetOutcome.Completed _ -> complete(status);
          case JobSetOutcome.Failed failed -> fail(failed, status);
          case JobSetOutcome.Restarts restart -> restart(set, restart, status);
        };
    JobSet written = status.write(cluster, events);
    if (refused.isPresent()) {
      throw refused.get(); // it is tried again, with growing delays
    }
    if (!written.isFinished()) {
      return Outcome.DONE;
    }
    meters.finished(written);
    return end(written);
  }

  private static Optional<ApiException> complete(StatusDraft status) {
    status.set("terminalState", JobSet.COMPLETED);
    status.raise(JobSet.COMPLETED, "AllJobsCompleted", "jobset completed successfully", false);
    status.lowerQuietly(JobSet.RESTARTING, "JobSetCompleted", "jobset completed");
    return Optional.empty();
  }

  private static Optional<ApiException> fail(JobSetOutcome.Failed failed, StatusDraft status) {
    status.set("terminalState", JobSet.FAILED);
    status.raise(JobSet.FAILED, failed.reason(), failed.message(), true);
    status.lowerQuietly(JobSet.RESTARTING, "JobSetFailed", "jobset failed");
    return Optional.empty();
  }

  private static Optional<ApiException> restart(
      JobSet set, JobSetOutcome.Restarts restart, StatusDraft status) {
    status.set("restarts", set.restarts() + 1);
    if (restart.counts()) {
      status.set("restartsCountTowardsMax", set.countedRestarts() + 1);
    }
    status.raise(JobSet.RESTARTING, restart.reason(), restart.message(), true);
    status.warn(restart.action().word() + "FailurePolicyAction", restart.message());
    return Optional.empty();
  }

  /** Creates what is missing, then suspends or resumes. */
  private Optional<ApiException> goOn(
      JobSet set, OwnedJobs owned, List<ReplicatedJobCounts> counts, StatusDraft status) {
    var order = new StartupOrder(set, counts);
    if (!set.isSuspended() && counts.stream().allMatch(ReplicatedJobCounts::isReady)) {
      status.lower(JobSet.RESTARTING, "JobsReady", "all jobs are ready");
    }
    Optional<SharedObjects.Refusal> missing = shared.complete(set);
    if (missing.isPresent()) {
      status.warn(missing.get().reason(), missing.get().why().failure().message());
      return Optional.of(missing.get().why());
    }
    Optional<ApiException> refused = writer.create(set, missingJobs(set, owned, order));
    if (set.isSuspended()) {
      suspend(owned, status);
    } else {
      resume(set, owned, order, status);
    }
    return refused;
  }

  private static List<ApiObject> missingJobs(JobSet set, OwnedJobs owned, StartupOrder order) {
    boolean blocked =
        set.restartStrategy() == RestartStrategy.BLOCKING_RECREATE && !owned.previous().isEmpty();
    if (blocked) {
      return List.of();
    }
    var maker = new ChildJobMaker(set);
    SortedSet<String> existing = owned.names();
    var missing = new ArrayList<ApiObject>();
    for (ReplicatedJob replicated : order.creatable()) {
      for (long index = 0; index < replicated.replicas(); index++) {
        if (!existing.contains(set.jobName(replicated.name(), index))) {
          missing.add(maker.make(replicated, index));
        }
      }
    }
    return missing;
  }

  private void suspend(OwnedJobs owned, StatusDraft status) {
    writer.suspend(owned.active().stream().filter(job -> !job.isSuspended()).toList());
    status.raise(JobSet.SUSPENDED, "SuspendedJobs", "jobset is suspended", false);
    status.lowerQuietly(JobSet.RESTARTING, "JobSetSuspended", "jobset is suspended");
  }

  private void resume(JobSet set, OwnedJobs owned, StartupOrder order, StatusDraft status) {
    for (ReplicatedJob replicated : order.startable()) {
      List<Job> suspended =
          owned.active().stream()
              .filter(job -> OwnedJobs.replicatedJob(job).equals(replicated.name()))
              .filter(Job::isSuspended)
              .toList();
      writer.resume(suspended, new PodTemplate(replicated.job().template()));
    }
    status.lower(JobSet.SUSPENDED, "ResumeJobs", "jobset is resumed");
    if (set.startsInOrder()) {
      noteOrder(order, status);
    }
  }

  private static void noteOrder(StartupOrder order, StatusDraft status) {
    if (order.isCompleted()) {
      String message = "in order startup policy has completed";
      status.raise(JobSet.STARTUP_COMPLETED, "InOrderStartupPolicyCompleted", message, false);
      status.lowerQuietly(JobSet.STARTUP_IN_PROGRESS, "InOrderStartupPolicyCompleted", message);
    } else {
      String message = "in order startup policy is in progress";
      status.raise(JobSet.STARTUP_IN_PROGRESS, "InOrderStartupPolicyInProgress", message, false);
      status.lowerQuietly(JobSet.STARTUP_COMPLETED, "InOrderStartupPolicyInProgress", message);
    }
  }

  /** Deletes a finished JobSet once its time to live has passed. */
  private Outcome end(JobSet set) {
    Optional<Instant> end =
        set.timeToLive().flatMap(time -> set.finished().map(moment -> moment.plus(time)));
    if (end.isEmpty()) {
      return Outcome.DONE;
    }
    Duration left = Duration.between(cluster.time().now(), end.get());
    if (left.isPositive()) {
      return Outcome.again(left);
    }
    try {
      cluster.delete(Kinds.JOB_SET, set.object(), WITH_JOBS);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND) && !refused.is(ApiFailure.Reason.CONFLICT)) {
        throw refused;
      }
    }
    return Outcome.DONE;
  }
}
