package dev.sluice.controllers.jobs;

import dev.sluice.model.Condition;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.batch.JobStatus.Uncounted;
import dev.sluice.model.core.pod.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The tracking of finished pods with finalizers: every pod of a Job is counted exactly once,
 * although the Job's status and the pod cannot be written together.
 *
 * <p>Method: a pod keeps a finalizer until it is counted. First its uid is added to a list in the
 * status, then its finalizer is removed, then its uid moves from the list into the counter. After a
 * stop in between, the next sync finds the uid in the list: if the pod has the finalizer, it is not
 * counted yet; if not, only the counter is missing. The successes of Indexed Jobs need no list: an
 * index counts once, however often it is reported.
 *
 * @param status what to write first
 * @param release the pods whose finalizers may be removed once that is written
 * @param whole whether every finished pod is in the lists; if not, another sync must follow
 */
record PodTracking(JobStatus status, List<Pod> release, boolean whole) {
  /** One sync lists no more pods than this, so that the status stays small. */
  static final int MAX_AT_ONCE = 500;

  PodTracking {
    release = List.copyOf(release);
  }

  /**
   * The first step: lists the finished pods.
   *
   * @param before the pods before the Job's own changes, which says what ended by itself; pods that
   *     ended since then are listed in the next sync
   * @param after the pods now
   */
  static PodTracking register(
      Job job, PodCounts before, PodCounts after, JobOutcome outcome, Instant now) {
    List<Pod> tracked = tracked(job, after, outcome);
    Set<String> uids =
        tracked.stream().map(Pod::uid).collect(Collectors.toCollection(TreeSet::new));
    JobStatus settled = count(job, job.status(), uid -> !uids.contains(uid));
    var uncountedPods = new UncountedPods(job, before, after, outcome);
    var lists = new Lists(settled.uncounted());
    for (Pod pod : tracked) {
      lists.take(pod, lists.contain(pod) ? UncountedPod.GO : uncountedPods.of(pod));
    }
    lists.whole &= !uncountedPods.areSomeLate();
    JobStatus status =
        withIndexes(job, settled, before.indexes())
            .withUncounted(new Uncounted(lists.succeeded, lists.failed))
            .withLiving(after.active(), after.ready(), after.terminating());
    return new PodTracking(announce(job, status, outcome, now), lists.release, lists.whole);
  }

  /**
   * The pods with the finalizer that may lose it now: if the Job ends or is deleted, all of them.
   */
  private static List<Pod> tracked(Job job, PodCounts counts, JobOutcome outcome) {
    var pods = new ArrayList<>(counts.pods().ended());
    if (outcome instanceof JobOutcome.Ending || job.object().isDeleting()) {
      pods.addAll(counts.pods().active());
    }
    pods.removeIf(pod -> !pod.object().hasFinalizer(Job.TRACKING));
    return pods;
  }

  private static JobStatus withIndexes(Job job, JobStatus status, JobIndexes indexes) {
    if (!job.isIndexed()) {
      return status;
    }
    JobStatus known =
        status
            .withCompletedIndexes(indexes.completed())
            .withCounted(indexes.completed().size(), status.failed());
    return job.backoffLimitPerIndex().isPresent()
        ? known.withFailedIndexes(indexes.failed())
        : known;
  }

  /** The lists of the status while pods are added to them. */
  private static final class Lists {
    private final List<String> succeeded;
    private final List<String> failed;
    private final TreeSet<String> listed = new TreeSet<>();
    private final List<Pod> release = new ArrayList<>();
    private int added;
    private boolean whole = true;

    Lists(Uncounted uncounted) {
      succeeded = new ArrayList<>(uncounted.succeeded());
      failed = new ArrayList<>(uncounted.failed());
      listed.addAll(succeeded);
      listed.addAll(failed);
    }

    boolean contain(Pod pod) {
      return listed.contains(pod.uid());
    }

    void take(Pod pod, UncountedPod action) {
      switch (action) {
        case STAY -> {}
        case GO -> release.add(pod);
        case COUNT_SUCCEEDED -> add(pod, succeeded);
        case COUNT_FAILED -> add(pod, failed);
      }
    }

    private void add(Pod pod, List<String> list) {
      if (added == MAX_AT_ONCE) {
        whole = false;
        return;
      }
      added++;
      list.add(pod.uid());
      release.add(pod);
    }
  }

  private static JobStatus announce(Job job, JobStatus status, JobOutcome outcome, Instant now) {
    // A Job that failed must have a start time, also if it failed while it was suspended.
    boolean starts = !job.isSuspended() || outcome instanceof JobOutcome.Failure;
    JobStatus started = status.started().isEmpty() && starts ? status.withStarted(now) : status;
    return switch (outcome) {
      case JobOutcome.Open _ ->
          job.object().isDeleting() ? started : withSuspension(job, started, now);
      case JobOutcome.Ending ending ->
          started.holds(ending.announcement().type())
              ? started
              : started.withCondition(ending.announcement(), now);
    };
  }

  /** A Job that is not suspended and never was has no condition about it. */
  private static JobStatus withSuspension(Job job, JobStatus status, Instant now) {
    boolean held = status.holds(JobStatus.SUSPENDED);
    if (job.isSuspended() == held) {
      return held ? status.withoutStarted() : status;
    }
    return job.isSuspended()
        ? status
            .withCondition(
                new Condition(JobStatus.SUSPENDED, true, "JobSuspended", "Job suspended"), now)
            .withoutStarted()
        : status
            .withCondition(
                new Condition(JobStatus.SUSPENDED, false, "JobResumed", "Job resumed"), now)
            .withStarted(now);
  }

  /**
   * The last step: counts the pods whose finalizers are removed, and concludes the Job if it ends
   * and there are no more pods to count or to wait for.
   */
  JobStatus settle(Job job, Set<String> released, JobOutcome outcome, Instant now) {
    JobStatus counted = count(job, status, released::contains);
    boolean settled = whole && counted.uncounted().isEmpty() && counted.terminating() == 0;
    return switch (outcome) {
      case JobOutcome.Success success when settled ->
          counted.withCondition(success.conclusion(), now).withCompleted(now);
      case JobOutcome.Failure failure when settled ->
          counted.withCondition(failure.conclusion(), now);
      case JobOutcome.Open _, JobOutcome.Success _, JobOutcome.Failure _ -> counted;
    };
  }

  /** The successes of an Indexed Job are its completed indexes, which are counted elsewhere. */
  private static JobStatus count(Job job, JobStatus status, Predicate<String> gone) {
    Uncounted uncounted = status.uncounted();
    List<String> succeeded = uncounted.succeeded().stream().filter(gone.negate()).toList();
    List<String> failed = uncounted.failed().stream().filter(gone.negate()).toList();
    return status
        .withCounted(
            job.isIndexed()
                ? status.succeeded()
                : status.succeeded() + uncounted.succeeded().size() - succeeded.size(),
            status.failed() + uncounted.failed().size() - failed.size())
        .withUncounted(new Uncounted(succeeded, failed));
  }
}
