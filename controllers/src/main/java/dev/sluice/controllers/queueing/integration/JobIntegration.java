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
 * What queueing must know of a kind of job: how to read it, start it and stop it. A kind answers
 * for one object at a time and keeps nothing; what it can do besides, it says by overriding a
 * method that has an answer already.
 */
public interface JobIntegration {

  /** The name of the kind in the configuration, such as {@code batch/job}. */
  String framework();

  ResourceKind kind();

  boolean suspended(ApiObject job);

  /** Whether pods of the job may still be running. */
  boolean active(ApiObject job);

  /** The job's pods, as groups of one shape; a minimal count means that fewer may start. */
  List<PodSet> podSets(ApiObject job);

  /** How the job ended, if it did. */
  Optional<Finish> finish(ApiObject job);

  /** The job suspended, or not. */
  ApiObject withSuspended(ApiObject job, boolean suspended);

  /** The job with its pod templates, and counts where fewer may start, as these pod sets have. */
  ApiObject withPodSets(ApiObject job, List<PodSet> podSets);

  /** The end of a job. */
  record Finish(boolean succeeded, String message) {}

  /**
   * Whether all its pods are ready or have succeeded; a kind that cannot tell says once started.
   */
  default boolean podsReady(ApiObject job) {
    return !suspended(job);
  }

  /** How many pods of each pod set will not need their resources again. */
  default SortedMap<String, Integer> reclaimablePods(ApiObject job) {
    return Collections.unmodifiableSortedMap(new TreeMap<>());
  }

  /** The PriorityClass that the kind has a field for, empty if it names none. */
  default String priorityClass(ApiObject job) {
    return "";
  }

  /** The labels of which the configuration may ask copies on the workload. */
  default SortedMap<String, String> labels(ApiObject job) {
    return job.labels();
  }

  /** Whether the job may change its size while it runs. */
  default boolean elastic(ApiObject job) {
    return false;
  }

  /**
   * Does the next step of stopping a job: suspends it and brings its templates back to what they
   * were. It may be stopped after any write, and is called again until it says that it is done.
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

  /** Lets go of what is kept only to be counted. */
  default void letGo(Cluster cluster, ApiObject job) {}

  /** The pod sets of a job without what a start put into them. */
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

  /** A start leaves this label; where it is missing, changes are the user's and stay. */
  private static boolean wasStarted(PodSet podSet) {
    return podSet.template().labels().containsKey(KueueNames.POD_SET);
  }

  private static PodSet restored(PodSet now, PodSet before) {
    return now.withCount(before.count())
        .withTemplate(now.template().steeredLike(before.template()));
  }
}
