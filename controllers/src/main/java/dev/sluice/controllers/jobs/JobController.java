package dev.sluice.controllers.jobs;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.Measured;
import dev.sluice.controllers.NotifyingCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The controller of Jobs: creates their pods and counts how they end. There are never more active
 * pods than parallelism allows, and every pod is counted exactly once, whenever the controller is
 * stopped and restarted.
 *
 * <p>Jobs whose {@code managedBy} names another controller are ignored.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class JobController implements Controller, Measured {
  private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** Not zero, so that time advances even if a sync changes nothing. */
  private static final Duration GO_ON = Duration.ofMillis(1);

  /**
   * How often a Job with terminating pods checks whether they are gone, in case an event was lost.
   */
  private static final Duration LOOK_FOR_GONE = Duration.ofMinutes(1);

  private final Cluster cluster;
  private final EventRecorder events;
  private final PodsByJob pods;
  private final PodWriter writer;
  private final Adoption adoption;
  private final JobMeters meters = new JobMeters();
  private final TreeMap<ObjectKey, JobSyncState> memories = new TreeMap<>();

  public JobController(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "job-controller");
    this.pods = new PodsByJob(cluster);
    this.writer = new PodWriter(new NotifyingCluster(cluster, Kinds.POD, pods::written), events);
    this.adoption = new Adoption(cluster, writer);
  }

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.JOB, this::jobChanged), new Trigger(Kinds.POD, this::podChanged));
  }

  private List<ObjectKey> jobChanged(ObjectEvent event) {
    meters.jobChanged(event);
    return List.of(event.object().key(Kinds.JOB));
  }

  private List<ObjectKey> podChanged(ObjectEvent event) {
    meters.podChanged(event);
    return pods.changed(event);
  }

  @Override
  public MetricSnapshots measurements() {
    return meters.collect();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    if (key.kind().equals(Kinds.POD)) {
      adoption.place(key);
      return Outcome.DONE;
    }
    Optional<Job> found = cluster.get(key).map(Job::new);
    if (found.isPresent() && !found.get().isManagedHere()) {
      return forget(key);
    }
    Optional<Job> open = found.filter(job -> !job.isFinished());
    // The pods of Jobs that are gone or finished are not counted any more.
    writer.release(pods.ofOthers(key, open.map(job -> job.object().uid()).orElse("")));
    if (open.isEmpty()) {
      return forget(key);
    }
    Job job = open.get();
    if (!job.isNonIndexed() && !job.isIndexed()) {
      events.warning(
          job.object(),
          "UnknownCompletionMode",
          "Skipped Job sync because completion mode is unknown");
      return forget(key);
    }
    Optional<Duration> pause = pauseLeft(job);
    if (pause.isPresent()) {
      return Outcome.again(pause.get());
    }
    try (JobMeters.Look look = meters.look(job, cluster.time())) {
      return sync(job, look);
    }
  }

  private Outcome forget(ObjectKey key) {
    memories.remove(key);
    adoption.forget(key);
    return Outcome.DONE;
  }

  private Optional<Duration> pauseLeft(Job job) {
    return memory(job)
        .filter(memory -> memory.generation() == job.object().generation())
        .map(memory -> Duration.between(cluster.time().now(), memory.notBefore()))
        .filter(Duration::isPositive);
  }

  private Optional<JobSyncState> memory(Job job) {
    return Optional.ofNullable(memories.get(job.key()))
        .filter(memory -> memory.uid().equals(job.object().uid()));
  }

  private Outcome sync(Job job, JobMeters.Look look) {
    Instant now = cluster.time().now();
    if (memory(job).isEmpty()) {
      adoption.gather(job);
    }
    adoption.part(job, pods.of(job));
    PodCounts before = PodCounts.of(job, pods.of(job));
    PodFailureBackoff streak = streak(job).after(before.newlySucceeded(), before.newlyFailed());
    JobOutcome decided = JobOutcome.of(job, before, now);
    PodPlan work = PodPlan.of(job, before, decided, streak, now);
    look.decided(work);
    Job begun = work instanceof PodPlan.Create ? begin(job, before, now) : job;
    PodWriter.Creation creation = perform(begun, work);
    boolean refused = !creation.refusals().isEmpty();
    PodCounts after = work.changesPods() ? PodCounts.of(begun, pods.of(job)) : before;
    boolean open = decided instanceof JobOutcome.Open && !job.object().isDeleting();
    JobOutcome outcome = open ? JobOutcome.completion(begun, after) : decided;
    PodTracking tracking = PodTracking.register(begun, before, after, outcome, now);
    JobStatus last = writeStatus(begun, tracking, outcome, now);
    recordEvents(job, after, outcome, last);
    look.ended(before, creation, tracking, last);
    boolean unfinished = work.leavesMore() || !tracking.whole();
    Duration pause = remember(job, streak, refused, unfinished, now);
    return next(job.withStatus(last), work, refused || unfinished ? pause : NEVER);
  }

  /**
   * A Job that was suspended has its start in the status before its first pod exists. It may be
   * suspended again, and a queueing system must know then whether there are pods to wait for.
   */
  private Job begin(Job job, PodCounts counts, Instant now) {
    boolean wasHeld =
        job.status().condition(JobStatus.SUSPENDED).isPresent() || job.object().generation() > 1;
    if (!wasHeld
        || (job.status().started().isPresent() && !job.status().holds(JobStatus.SUSPENDED))) {
      return job;
    }
    PodTracking tracking = PodTracking.register(job, counts, counts, JobOutcome.OPEN, now);
    return new Job(write(job.object(), tracking.status()));
  }

  private PodFailureBackoff streak(Job job) {
    return memory(job).map(JobSyncState::streak).orElseGet(() -> streakOfCounted(job));
  }

  /** Unfinished work continues without a delay, unless the API server refused pods. */
  private Duration remember(
      Job job, PodFailureBackoff streak, boolean refused, boolean unfinished, Instant now) {
    int refusals = refused ? memory(job).map(JobSyncState::refusals).orElse(0) + 1 : 0;
    Duration pause = unfinished && !refused ? GO_ON : JobSyncState.pause(refusals);
    ApiObject object = job.object();
    memories.put(
        job.key(),
        new JobSyncState(object.uid(), object.generation(), now.plus(pause), refusals, streak));
    return pause;
  }

  private PodWriter.Creation perform(Job job, PodPlan work) {
    switch (work) {
      case PodPlan.Nothing _, PodPlan.Hold _ -> {}
      case PodPlan.Finish(List<Pod> ended) -> writer.finish(job, ended);
      case PodPlan.Remove(List<Pod> unwanted) -> writer.remove(job, unwanted);
      case PodPlan.Create(List<NewPod> wanted) -> {
        boolean welcome = memory(job).filter(memory -> memory.refusals() == 0).isPresent();
        return writer.create(job, wanted, welcome && !pods.of(job).active().isEmpty());
      }
    }
    return PodWriter.Creation.NONE;
  }

  /**
   * Writes the uncounted pods, removes finalizers, writes the counters; returns the final status.
   */
  private JobStatus writeStatus(Job job, PodTracking tracking, JobOutcome outcome, Instant now) {
    ApiObject listed = write(job.object(), tracking.status());
    Set<String> released = writer.release(tracking.release());
    JobStatus last = tracking.settle(job, released, outcome, now);
    write(listed, last);
    return last;
  }

  private ApiObject write(ApiObject seen, JobStatus status) {
    return status.tree().equals(seen.status())
        ? seen
        : cluster.patchStatus(Kinds.JOB, seen, status.tree());
  }

  private void recordEvents(Job job, PodCounts counts, JobOutcome outcome, JobStatus last) {
    if (outcome instanceof JobOutcome.Ending ending && job.withStatus(last).isFinished()) {
      meters.finished(job, ending);
    }
    if (last.holds(JobStatus.COMPLETE)) {
      events.normal(job.object(), "Completed", "Job completed");
      if (counts.succeeded() > job.completions().orElse(Long.MAX_VALUE)) {
        events.warning(
            job.object(),
            "TooManySucceededPods",
            "Too many succeeded pods running after completion count reached");
      }
    } else if (last.holds(JobStatus.FAILED) && outcome instanceof JobOutcome.Failure failure) {
      events.warning(job.object(), failure.reason(), failure.message());
    }
    recordSuspension(job, last);
  }

  private void recordSuspension(Job job, JobStatus last) {
    boolean before = job.status().holds(JobStatus.SUSPENDED);
    boolean after = last.holds(JobStatus.SUSPENDED);
    if (before != after) {
      events.normal(
          job.object(), after ? "Suspended" : "Resumed", after ? "Job suspended" : "Job resumed");
    }
  }

  private Outcome next(Job job, PodPlan work, Duration pause) {
    if (job.isFinished()) {
      return forget(job.key());
    }
    Duration held = work instanceof PodPlan.Hold(Duration delay) ? delay : NEVER;
    Duration deadline = JobOutcome.deadlineLeft(job, cluster.time().now()).orElse(NEVER);
    Duration ending = job.status().terminating() > 0 ? LOOK_FOR_GONE : NEVER;
    Duration soonest = Collections.min(List.of(pause, held, deadline, ending));
    return soonest.equals(NEVER) ? Outcome.DONE : Outcome.again(soonest);
  }

  /** The backoff after a restart, derived from the counted pods that still exist. */
  private PodFailureBackoff streakOfCounted(Job job) {
    if (job.status().failed() == 0) {
      return PodFailureBackoff.NONE;
    }
    List<Pod> counted =
        cluster.list(Kinds.POD, job.namespace()).stream()
            .filter(pod -> pod.isOwnedBy(job.object()) && !pod.hasFinalizer(Job.TRACKING))
            .map(Pod::new)
            .filter(pod -> !pod.isDeleting())
            .toList();
    return PodFailureBackoff.NONE.after(
        counted.stream().filter(pod -> pod.phase() == Pod.Phase.SUCCEEDED).toList(),
        counted.stream()
            .filter(pod -> pod.phase() == Pod.Phase.FAILED)
            .map(pod -> FailedPod.of(job, pod))
            .toList());
  }
}
