package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Indexes;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The progress of the indexes of an Indexed Job; empty for other Jobs.
 *
 * @param completed the indexes that succeeded
 * @param failed the indexes that failed for good, which happens only with {@code
 *     backoffLimitPerIndex}
 * @param waiting with {@code backoffLimitPerIndex}, the last failed pod of each index that must be
 *     tried again: it carries the count of failures, so it stays until another pod does
 */
record JobIndexes(Indexes completed, Indexes failed, SortedMap<Long, FailedPod> waiting) {
  private static final JobIndexes NONE =
      new JobIndexes(Indexes.NONE, Indexes.NONE, Collections.emptySortedMap());

  JobIndexes {
    waiting = Collections.unmodifiableSortedMap(new TreeMap<>(waiting));
  }

  static JobIndexes of(
      Job job, JobPods pods, List<Pod> newlySucceeded, List<FailedPod> newlyFailed) {
    if (!job.isIndexed()) {
      return NONE;
    }
    JobStatus status = job.status();
    long completions = job.completions().orElse(0);
    var succeeded = new TreeSet<Long>();
    newlySucceeded.forEach(pod -> succeeded.add(index(pod)));
    Indexes completed =
        Indexes.parse(status.completedIndexes(), completions).plus(Indexes.of(succeeded));
    if (job.backoffLimitPerIndex().isEmpty()) {
      return new JobIndexes(completed, Indexes.NONE, Collections.emptySortedMap());
    }
    var lost = new TreeSet<Long>();
    newlyFailed.stream()
        .filter(pod -> pod.failsIndex(job.backoffLimitPerIndex().getAsLong()))
        .map(pod -> index(pod.pod()))
        .filter(index -> !completed.contains(index))
        .forEach(lost::add);
    Indexes failed = Indexes.parse(status.failedIndexes(), completions).plus(Indexes.of(lost));
    var waiting = new TreeMap<Long, FailedPod>();
    for (FailedPod pod : newlyFailed) {
      long index = index(pod.pod());
      if (!completed.contains(index) && !failed.contains(index) && !pods.isActive(index)) {
        waiting.merge(index, pod, JobIndexes::later);
      }
    }
    return new JobIndexes(completed, failed, waiting);
  }

  private static long index(Pod pod) {
    return new JobPod(pod).index().orElseThrow();
  }

  private static FailedPod later(FailedPod one, FailedPod other) {
    boolean after =
        attempts(other) >= attempts(one) && !other.pod().ended().isBefore(one.pod().ended());
    return after ? other : one;
  }

  /** The attempts at its index before this one, whether or not they count. */
  static long attempts(FailedPod pod) {
    var seen = new JobPod(pod.pod());
    return seen.failures() + seen.ignoredFailures();
  }

  /** The last failed pod of an index that must be tried again. */
  Optional<FailedPod> lastFailure(long index) {
    return Optional.ofNullable(waiting.get(index));
  }
}
