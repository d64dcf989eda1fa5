package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Says what becomes of the pods of a Job. */
final class UncountedPods {
  private final Job job;
  private final JobOutcome verdict;
  private final Set<String> failedByThemselves;
  private final TreeMap<String, FailedPod> failed = new TreeMap<>();
  private final Set<String> kept;
  private final Set<String> late;

  UncountedPods(Job job, PodCounts before, PodCounts after, JobOutcome verdict) {
    this.job = job;
    this.verdict = verdict;
    this.failedByThemselves = uids(before.newlyFailed());
    this.kept = uids(after.indexes().waiting().values());
    this.late = late(before, after);
    after.newlyFailed().forEach(pod -> failed.put(pod.pod().uid(), pod));
  }

  /** Those that ended by themselves while the Job worked on its pods: no index knows them yet. */
  private static Set<String> late(PodCounts before, PodCounts after) {
    var late = ended(after);
    late.removeAll(ended(before));
    return late;
  }

  private static Set<String> ended(PodCounts census) {
    var ended = new TreeSet<String>();
    Stream.concat(
            census.newlySucceeded().stream(), census.newlyFailed().stream().map(FailedPod::pod))
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
    boolean ends = verdict instanceof JobOutcome.Ending || job.object().isDeleting();
    if (pod.phase() == Pod.Phase.SUCCEEDED) {
      return job.isIndexed() ? UncountedPod.GO : UncountedPod.COUNT_SUCCEEDED;
    }
    if (verdict instanceof JobOutcome.Failure) {
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

  /** Asked to end because the Job has succeeded: that is no failure. */
  private boolean isEndedBySuccess(Pod pod) {
    return verdict instanceof JobOutcome.Success
        && pod.phase() != Pod.Phase.FAILED
        && (job.status().holds(JobStatus.SUCCESS_CRITERIA_MET)
            || !failedByThemselves.contains(pod.uid()));
  }

  /** Failed with an index that the Job does not know, so that nobody counts it. */
  private boolean isLost(Pod pod) {
    return PodCounts.isFailed(job, pod) && !PodCounts.isPlaced(job, pod);
  }
}
