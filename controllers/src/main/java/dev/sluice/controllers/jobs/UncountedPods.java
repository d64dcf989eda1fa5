package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The pods of a Job that are not counted yet, each with its action. */
final class UncountedPods {
  private final Job job;
  private final JobOutcome outcome;
  private final Set<String> failedByThemselves;
  private final TreeMap<String, FailedPod> failed = new TreeMap<>();
  private final Set<String> kept;
  private final Set<String> late;

  UncountedPods(Job job, PodCounts before, PodCounts after, JobOutcome outcome) {
    this.job = job;
    this.outcome = outcome;
    this.failedByThemselves = uids(before.newlyFailed());
    this.kept = uids(after.indexes().waiting().values());
    this.late = late(before, after);
    after.newlyFailed().forEach(pod -> failed.put(pod.pod().uid(), pod));
  }

  /**
   * The pods that ended by themselves while the Job worked on its pods: no index knows them yet.
   */
  private static Set<String> late(PodCounts before, PodCounts after) {
    var late = ended(after);
    late.removeAll(ended(before));
    return late;
  }

  private static Set<String> ended(PodCounts podCounts) {
    var ended = new TreeSet<String>();
    Stream.concat(
            podCounts.newlySucceeded().stream(),
            podCounts.newlyFailed().stream().map(FailedPod::pod))
        .filter(Pod::isTerminal)
        .forEach(pod -> ended.add(pod.uid()));
    return ended;
  }

  boolean areSomeLate() {
    return !late.isEmpty();
  }

  private static Set<String> uids(Collection<FailedPod> pods) {
    var uids = new TreeSet<String>();
    pods.forEach(pod -> uids.add(pod.pod().uid()));
    return uids;
  }

  UncountedPod of(Pod pod) {
    if (late.contains(pod.uid())) {
      return UncountedPod.STAY;
    }
    boolean ends = outcome instanceof JobOutcome.Ending || job.object().isDeleting();
    if (pod.phase() == Pod.Phase.SUCCEEDED) {
      return job.isIndexed() ? UncountedPod.GO : UncountedPod.COUNT_SUCCEEDED;
    }
    if (outcome instanceof JobOutcome.Failure) {
      return counts(FailedPod.of(job, pod));
    }
    FailedPod failure = failed.get(pod.uid());
    if (failure == null || isEndedBySuccess(pod)) {
      return ends || isLost(pod) ? UncountedPod.GO : UncountedPod.STAY;
    }
    return kept.contains(pod.uid()) && !ends ? UncountedPod.STAY : counts(failure);
  }

  private UncountedPod counts(FailedPod failure) {
    return failure.counts() && PodCounts.isPlaced(job, failure.pod())
        ? UncountedPod.COUNT_FAILED
        : UncountedPod.GO;
  }

  /** Deleted because the Job has succeeded: that is no failure. */
  private boolean isEndedBySuccess(Pod pod) {
    return outcome instanceof JobOutcome.Success
        && pod.phase() != Pod.Phase.FAILED
        && (job.status().holds(JobStatus.SUCCESS_CRITERIA_MET)
            || !failedByThemselves.contains(pod.uid()));
  }

  /** Failed with an index that is not below the completions, so that the Job does not count it. */
  private boolean isLost(Pod pod) {
    return PodCounts.isFailed(job, pod) && !PodCounts.isPlaced(job, pod);
  }
}
