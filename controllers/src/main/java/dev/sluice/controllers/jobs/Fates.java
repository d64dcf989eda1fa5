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
final class Fates {
  private final Job job;
  private final Verdict verdict;
  private final Set<String> failedByThemselves;
  private final TreeMap<String, FailedPod> failed = new TreeMap<>();
  private final Set<String> kept;
  private final Set<String> late;

  Fates(Job job, PodCensus before, PodCensus after, Verdict verdict) {
    this.job = job;
    this.verdict = verdict;
    this.failedByThemselves = uids(before.newlyFailed());
    this.kept = uids(after.indexes().waiting().values());
    this.late = late(before, after);
    after.newlyFailed().forEach(pod -> failed.put(pod.pod().uid(), pod));
  }

  /** Those that ended by themselves while the Job worked on its pods: no index knows them yet. */
  private static Set<String> late(PodCensus before, PodCensus after) {
    var late = ended(after);
    late.removeAll(ended(before));
    return late;
  }

  private static Set<String> ended(PodCensus census) {
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

  Fate of(Pod pod) {
    if (late.contains(pod.uid())) {
      return Fate.STAY;
    }
    boolean ends = verdict instanceof Verdict.Ending || job.object().isDeleting();
    if (pod.phase() == Pod.Phase.SUCCEEDED) {
      return job.isIndexed() ? Fate.GO : Fate.COUNT_SUCCEEDED;
    }
    if (verdict instanceof Verdict.Failure) {
      return counts(FailedPod.of(job, pod));
    }
    FailedPod failure = failed.get(pod.uid());
    if (failure == null || isEndedBySuccess(pod)) {
      return ends || isLost(pod) ? Fate.GO : Fate.STAY;
    }
    return kept.contains(pod.uid()) && !ends ? Fate.STAY : counts(failure);
  }

  private Fate counts(FailedPod failure) {
    return failure.counts() && PodCensus.isPlaced(job, failure.pod()) ? Fate.COUNT_FAILED : Fate.GO;
  }

  /** Asked to end because the Job has succeeded: that is no failure. */
  private boolean isEndedBySuccess(Pod pod) {
    return verdict instanceof Verdict.Success
        && pod.phase() != Pod.Phase.FAILED
        && (job.status().holds(JobStatus.SUCCESS_CRITERIA_MET)
            || !failedByThemselves.contains(pod.uid()));
  }

  /** Failed with an index that the Job does not know, so that nobody counts it. */
  private boolean isLost(Pod pod) {
    return PodCensus.isFailed(job, pod) && !PodCensus.isPlaced(job, pod);
  }
}
