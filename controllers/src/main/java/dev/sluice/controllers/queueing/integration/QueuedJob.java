package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.queueing.integration.JobIntegration.Finish;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A snapshot of one job: an object of any kind of job, a single pod, or a pod group. Only {@link
 * #start}, {@link #stop}, {@link #suspend} and {@link #removeFinalizers} write.
 */
public interface QueuedJob {

  /** The object whose labels and annotations count for the job. */
  ApiObject object();

  /** The kind of its members. */
  ResourceKind kind();

  /** The objects that own the workload and that events are about. */
  List<ApiObject> members();

  /** The name of the workload of this job, and of its generation if the job is elastic. */
  String workloadName();

  /** Whether the job is a group of objects, which own their workload together. */
  boolean group();

  /** Whether the job, or a pod of the group, is suspended or gated and could be started. */
  boolean held();

  /** Whether the job, or a pod of the group, may run and would have to be stopped. */
  boolean running();

  /** Whether its pods may still use quota. */
  boolean active();

  /** The time after which it may be inactive without a further event. */
  Optional<Duration> inactiveAfter();

  List<PodSet> podSets();

  Optional<Finish> finish();

  boolean podsReady();

  SortedMap<String, Integer> reclaimablePods();

  /** The PriorityClass in a field of the kind, or empty. */
  String priorityClass();

  /** The labels that the configuration may copy to the workload. */
  SortedMap<String, String> labels();

  /** The annotations that the configuration may copy to the workload. */
  SortedMap<String, String> annotations();

  boolean elastic();

  /** Whether a workload matches this job. */
  boolean matches(Workload workload);

  /** The status of the workload with conditions that only this kind has. */
  WorkloadStatus report(WorkloadStatus status, Instant now);

  /**
   * Starts everything that is held and has quota; returns the started objects.
   *
   * @throws PodSetConflict if a template of the job conflicts with the changes
   */
  List<ApiObject> start(PodSetInfo changes);

  /** Does the next step of stopping. */
  StopProgress stop(Stop stop);

  /** Suspends a job with a queued ancestor; returns whether it was running. */
  boolean suspend();

  /** Removes the finalizers of pods that are kept only to be counted. */
  void removeFinalizers();
}
