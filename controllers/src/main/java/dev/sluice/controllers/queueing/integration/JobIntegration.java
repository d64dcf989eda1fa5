package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The integration of one kind of job: how to read, start and stop it. An integration has no state.
 * Optional features are default methods that a kind may override.
 */
public interface JobIntegration {

  /** The framework name in the configuration, such as {@code batch/job}. */
  String framework();

  ResourceKind kind();

  boolean suspended(ApiObject job);

  /** Whether pods of the job may still be running. */
  boolean active(ApiObject job);

  /** The pod sets of the job; one with a minimum count may start with fewer pods. */
  List<PodSet> podSets(ApiObject job);

  /** The end of the job, if it has ended. */
  Optional<Finish> finish(ApiObject job);

  /** The job with its field {@code suspend}, or the like, set. */
  ApiObject withSuspended(ApiObject job, boolean suspended);

  /** The job with the templates of these pod sets, and their counts if fewer pods may start. */
  ApiObject withPodSets(ApiObject job, List<PodSet> podSets);

  /** The end of a job. */
  record Finish(boolean succeeded, String message) {}

  /** Whether all its pods are ready or have succeeded; by default, whether the job has started. */
  default boolean podsReady(ApiObject job) {
    return !suspended(job);
  }

  /** The number of pods of each pod set that will not need their resources again. */
  default SortedMap<String, Integer> reclaimablePods(ApiObject job) {
    return Collections.unmodifiableSortedMap(new TreeMap<>());
  }

  /** The PriorityClass in a field of the kind, or empty. */
  default String priorityClass(ApiObject job) {
    return "";
  }

  /** The labels that the configuration may copy to the workload. */
  default SortedMap<String, String> labels(ApiObject job) {
    return job.labels();
  }

  /** Whether the job may scale while it runs. */
  default boolean elastic(ApiObject job) {
    return false;
  }

  /**
   * Does the next step of stopping a job: suspends it and restores its original templates. It may
   * be interrupted after any write, and is called again until it returns {@code DONE}.
   */
  default StopProgress stop(Cluster cluster, ApiObject job, Stop stop) {
    ApiObject stopped =
        withPodSets(withSuspended(job, true), restored(podSets(job), stop.original()));
    if (!stopped.equals(job)) {
      cluster.update(kind(), stopped);
    }
    if (!suspended(job)) {
      return StopProgress.BEGUN;
    }
    return active(job) ? StopProgress.WAITING : StopProgress.DONE;
  }

  /** Removes the finalizers of pods that are kept only to be counted. */
  default void removeFinalizers(Cluster cluster, ApiObject job) {}

  /** The pod sets of a job without the changes of a start. */
  static List<PodSet> restored(List<PodSet> podSets, List<PodSet> original) {
    if (podSets.size() != original.size()) {
      return podSets;
    }
    var restored = new ArrayList<PodSet>();
    for (int i = 0; i < podSets.size(); i++) {
      PodSet before = original.get(i);
      PodSet now = podSets.get(i);
      restored.add(wasStarted(now) ? restored(now, before) : now);
    }
    return restored;
  }

  /** A start adds this label; without it, changes are the user's and stay. */
  private static boolean wasStarted(PodSet podSet) {
    return podSet.template().labels().containsKey(KueueNames.POD_SET);
  }

  private static PodSet restored(PodSet now, PodSet before) {
    return now.withCount(before.count())
        .withTemplate(now.template().steeredLike(before.template()));
  }
}
