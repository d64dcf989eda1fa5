package dev.sluice.controllers.jobs;

import dev.sluice.model.Condition;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.batch.JobStatus.Uncounted;
import dev.sluice.model.core.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Counts every pod of a Job exactly once, although the counter, the list and the pod cannot be
 * written together.
 *
 * <p>Method: a pod keeps a finalizer until it is counted. First its uid goes into a list in the
 * status, then its finalizer goes, then its uid moves from the list into the counter. Whoever stops
 * in between is followed by someone who finds the uid listed: with the finalizer, the pod is not
 * counted yet; without it, only the counter is missing.
 *
 * @param status what to write first
 * @param release the pods that may go once that is written
 * @param whole whether every pod that ended is in the lists; if not, another round must follow
 */
record Accounting(JobStatus status, List<Pod> release, boolean whole) {
  /** One round lists no more pods than this. */
  static final int MOST_AT_ONCE = 500;

  Accounting {
    release = List.copyOf(release);
  }

  /** The first step: lists the pods that ended. */
  static Accounting register(Job job, PodCensus census, Verdict verdict, Instant now) {
    Set<String> tracked =
        census.tracked().stream().map(Pod::uid).collect(Collectors.toCollection(TreeSet::new));
    JobStatus settled = count(job.status(), uid -> !tracked.contains(uid));
    var lists = new Lists(settled.uncounted());
    for (Pod pod : census.tracked()) {
      lists.take(pod, lists.contain(pod) ? Fate.GO : Fate.of(job, pod, verdict));
    }
    JobStatus status =
        settled
            .withUncounted(new Uncounted(lists.succeeded, lists.failed))
            .withLiving(census.active().size(), census.ready(), census.terminating());
    return new Accounting(announce(job, status, verdict, now), lists.release, lists.whole);
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

    void take(Pod pod, Fate fate) {
      switch (fate) {
        case STAY -> {}
        case GO -> release.add(pod);
        case COUNT_SUCCEEDED -> add(pod, succeeded);
        case COUNT_FAILED -> add(pod, failed);
      }
    }

    private void add(Pod pod, List<String> list) {
      if (added == MOST_AT_ONCE) {
        whole = false;
        return;
      }
      added++;
      list.add(pod.uid());
      release.add(pod);
    }
  }

  /** What becomes of a tracked pod that is in no list. */
  private enum Fate {
    STAY,
    GO,
    COUNT_SUCCEEDED,
    COUNT_FAILED;

    static Fate of(Job job, Pod pod, Verdict verdict) {
      if (pod.phase() == Pod.Phase.SUCCEEDED) {
        return COUNT_SUCCEEDED;
      }
      if (pod.phase() == Pod.Phase.FAILED) {
        return COUNT_FAILED;
      }
      if (verdict instanceof Verdict.Failure) {
        return COUNT_FAILED;
      }
      if (job.status().holds(JobStatus.SUCCESS_CRITERIA_MET)) {
        // Asked to end because the Job had succeeded before: that is no failure.
        return GO;
      }
      if (PodCensus.isFailed(job, pod)) {
        return COUNT_FAILED;
      }
      return verdict instanceof Verdict.Ending || job.object().isDeleting() ? GO : STAY;
    }
  }

  private static JobStatus announce(Job job, JobStatus status, Verdict verdict, Instant now) {
    // What failed must have started, also if it fails while it is suspended.
    boolean starts = !job.isSuspended() || verdict instanceof Verdict.Failure;
    JobStatus started = status.started().isEmpty() && starts ? status.withStarted(now) : status;
    return switch (verdict) {
      case Verdict.Open _ ->
          job.object().isDeleting() ? started : tellSuspension(job, started, now);
      case Verdict.Ending ending ->
          started.holds(ending.announcement().type())
              ? started
              : started.withCondition(ending.announcement(), now);
    };
  }

  /** A Job that is not suspended and never was says nothing about it. */
  private static JobStatus tellSuspension(Job job, JobStatus status, Instant now) {
    boolean told = status.holds(JobStatus.SUSPENDED);
    if (job.isSuspended() == told) {
      return told ? status.withoutStarted() : status;
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
   * The last step: counts the pods whose finalizers are gone, and concludes the Job if it ends and
   * nothing is left to count or to wait for.
   */
  JobStatus settle(Set<String> released, Verdict verdict, Instant now) {
    JobStatus counted = count(status, released::contains);
    boolean settled = whole && counted.uncounted().isEmpty() && counted.terminating() == 0;
    return switch (verdict) {
      case Verdict.Success success when settled ->
          counted.withCondition(success.conclusion(), now).withCompleted(now);
      case Verdict.Failure failure when settled -> counted.withCondition(failure.conclusion(), now);
      case Verdict.Open _, Verdict.Success _, Verdict.Failure _ -> counted;
    };
  }

  private static JobStatus count(JobStatus status, Predicate<String> gone) {
    Uncounted uncounted = status.uncounted();
    List<String> succeeded = uncounted.succeeded().stream().filter(gone.negate()).toList();
    List<String> failed = uncounted.failed().stream().filter(gone.negate()).toList();
    return status
        .withCounted(
            status.succeeded() + uncounted.succeeded().size() - succeeded.size(),
            status.failed() + uncounted.failed().size() - failed.size())
        .withUncounted(new Uncounted(succeeded, failed));
  }
}
