package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.batch.Indexes;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The integration of batch/v1 Jobs: one pod set with as many pods as run in parallel. A Job with a
 * minimum parallelism may start with fewer (partial admission); an elastic Job may scale while it
 * runs.
 */
public final class BatchJobIntegration implements JobIntegration {
  private static final String TRUE = "true";

  @Override
  public String framework() {
    return "batch/job";
  }

  @Override
  public ResourceKind kind() {
    return Kinds.JOB;
  }

  /** A Job that is being stopped does not count as suspended, so that stopping goes on. */
  @Override
  public boolean suspended(ApiObject job) {
    return new Job(job).isSuspended() && !isStopping(job);
  }

  private static boolean isStopping(ApiObject job) {
    return job.annotation(KueueNames.STOPPING).equals(TRUE);
  }

  /**
   * A Job that has started may have pods that its status does not count yet, until it has the
   * condition Suspended.
   */
  @Override
  public boolean active(ApiObject object) {
    var job = new Job(object);
    JobStatus status = job.status();
    boolean mayHaveUncountedPods =
        job.isManagedHere()
            && job.isSuspended()
            && !job.isFinished()
            && status.started().isPresent()
            && !status.holds(JobStatus.SUSPENDED);
    return mayHaveUncountedPods || status.active() + status.terminating() > 0;
  }

  @Override
  public List<PodSet> podSets(ApiObject object) {
    var job = new Job(object);
    int count = count(job);
    PodSet podSet = PodSet.of(PodSet.MAIN, count, new PodTemplate(job.template()));
    OptionalInt minimum = elastic(object) ? OptionalInt.empty() : minParallelism(object);
    // A Job that was scaled below its minimum needs all its pods.
    return List.of(
        minimum.isPresent() && count > 0
            ? podSet.withMinCount(Math.min(minimum.getAsInt(), count))
            : podSet);
  }

  private static int count(Job job) {
    return Math.toIntExact(
        Math.min(job.parallelism(), job.completions().orElse(job.parallelism())));
  }

  /** The minimum number of pods to start with; a value that is no positive number is ignored. */
  private static OptionalInt minParallelism(ApiObject job) {
    return Int32.positive(job.annotation(KueueNames.JOB_MIN_PARALLELISM));
  }

  @Override
  public Optional<Finish> finish(ApiObject object) {
    JobStatus status = new Job(object).status();
    return finish(status, JobStatus.COMPLETE).or(() -> finish(status, JobStatus.FAILED));
  }

  private static Optional<Finish> finish(JobStatus status, String type) {
    return status
        .condition(type)
        .filter(ignored -> status.holds(type))
        .map(end -> new Finish(type.equals(JobStatus.COMPLETE), end.text("message")));
  }

  @Override
  public ApiObject withSuspended(ApiObject job, boolean suspended) {
    return new Job(job).withSuspend(suspended).object();
  }

  @Override
  public ApiObject withPodSets(ApiObject object, List<PodSet> podSets) {
    PodSet podSet = podSets.getFirst();
    Job job = new Job(object).withTemplate(podSet.template().tree());
    if (minParallelism(object).isPresent() && !elastic(object)) {
      job = job.withParallelism(podSet.count());
      job = ManagedJobs.synchronizes(object) ? job.withCompletions(podSet.count()) : job;
    }
    return job.object();
  }

  @Override
  public boolean podsReady(ApiObject object) {
    var job = new Job(object);
    return job.status().ready() + job.status().succeeded() >= count(job);
  }

  /**
   * The pods that are not needed any more because fewer completions are missing than the
   * parallelism.
   */
  @Override
  public SortedMap<String, Integer> reclaimablePods(ApiObject object) {
    var reclaimable = new TreeMap<String, Integer>();
    var job = new Job(object);
    long completions = job.completions().orElse(job.parallelism());
    long ended =
        job.isNonIndexed()
            ? job.status().succeeded()
            : Indexes.parse(job.status().completedIndexes(), completions)
                .plus(Indexes.parse(job.status().failedIndexes(), completions))
                .size();
    long missing = Math.max(0, completions - ended);
    int count = count(job);
    if (count > 1 && ended > 0 && missing < count) {
      reclaimable.put(PodSet.MAIN, Math.toIntExact(count - missing));
    }
    return reclaimable;
  }

  /** The labels of the Job and of its pod template; those of the Job take precedence. */
  @Override
  public SortedMap<String, String> labels(ApiObject job) {
    var labels = new TreeMap<>(new PodTemplate(new Job(job).template()).labels());
    labels.putAll(job.labels());
    return labels;
  }

  @Override
  public boolean elastic(ApiObject job) {
    return job.annotation(KueueNames.ELASTIC_JOB).equals(TRUE);
  }

  /**
   * Kubernetes allows changes of a Job's template only while it is suspended and has no active pod
   * and no start time. So stopping takes several writes; an annotation marks a Job until they are
   * all done.
   */
  @Override
  public StopProgress stop(Cluster cluster, ApiObject object, Stop stop) {
    var job = new Job(object);
    if (!job.isSuspended()) {
      ApiObject stopping = job.withSuspend(true).object();
      cluster.update(Kinds.JOB, stopping.withAnnotation(KueueNames.STOPPING, TRUE));
      return StopProgress.BEGUN;
    }
    if (active(object)) {
      return StopProgress.WAITING;
    }
    ApiObject restored =
        withPodSets(object, JobIntegration.restored(podSets(object), stop.original()))
            .withoutAnnotation(KueueNames.STOPPING);
    if (!restored.equals(object)) {
      restore(cluster, job, restored);
    }
    return StopProgress.DONE;
  }

  private static void restore(Cluster cluster, Job job, ApiObject restored) {
    ApiObject reset = job.object();
    if (job.status().started().isPresent()) {
      reset = cluster.patchStatus(Kinds.JOB, reset, job.status().withoutStarted().tree());
    }
    cluster.update(Kinds.JOB, restored.withMetadata("resourceVersion", reset.resourceVersion()));
  }
}
