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
 * One job as it was read: an object of a kind of job, a single pod, or a group of pods. It answers
 * from what was read and writes only when it is told to start, stop or let go.
 */
public interface QueuedJob {

  /** The object whose labels and annotations speak for the job. */
  ApiObject object();

  /** The kind of its members. */
  ResourceKind kind();

  /** The objects that own the workload and that events are about. */
  List<ApiObject> members();

  /** The name of the workload that stands for this job, and for its present generation. */
  String workloadName();

  /** Whether it is many objects together, which own their workload side by side. */
  boolean group();

  /** Whether something of it is held back and could be started. */
  boolean held();

  /** Whether something of it may run, so that it would have to be stopped. */
  boolean running();

  /** Whether pods of it may still use what they were given. */
  boolean active();

  /** After what time it may have become inactive although nothing happens. */
  Optional<Duration> inactiveAfter();

  List<PodSet> podSets();

  Optional<Finish> finish();

  boolean podsReady();

  SortedMap<String, Integer> reclaimablePods();

  /** The PriorityClass that the kind has a field for, empty if it names none. */
  String priorityClass();

  /** The labels of which the configuration may ask copies on the workload. */
  SortedMap<String, String> labels();

  boolean elastic();

  /** Whether a workload stands for this job as it is now. */
  boolean matches(Workload workload);

  /** What the kind alone has to say in the status of its workload. */
  WorkloadStatus report(WorkloadStatus status, Instant now);

  /**
   * Lets everything run that is held back and has room; returns what it let run.
   *
   * @throws PodSetConflict if the job says otherwise than what it was given
   */
  List<ApiObject> start(PodSetInfo changes);

  /** Does the next step of stopping. */
  StopProgress stop(Stop stop);

  /** Suspends a job that stands under another queued one; returns whether it had to. */
  boolean suspend();

  /** Lets go of what is kept only to be counted. */
  void letGo();
}
