package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.core.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What is to be done about a Job's pods next. */
sealed interface PodWork {
  /** One look at a Job makes or removes no more pods than this; the next look goes on. */
  int MOST_AT_ONCE = 500;

  /** Whether doing it changes pods. */
  default boolean changesPods() {
    return switch (this) {
      case Nothing _, Hold _ -> false;
      case Finish _, Remove _, Create _ -> true;
    };
  }

  /** Nothing. */
  record Nothing() implements PodWork {}

  /** The Job ends, so its pods do; how they end still counts. */
  record Finish(List<Pod> pods) implements PodWork {
    public Finish {
      pods = List.copyOf(pods);
    }
  }

  /** The Job does not want these pods now; they do not count. */
  record Remove(List<Pod> pods) implements PodWork {
    public Remove {
      pods = List.copyOf(pods);
    }
  }

  /** New pods. */
  record Create(long count) implements PodWork {}

  /** New pods are wanted, but not yet. */
  record Hold(Duration delay) implements PodWork {}

  /** The work for a Job, given its verdict. A Job that is being deleted gets no new pods. */
  static PodWork of(Job job, PodCensus census, Verdict verdict, FailureStreak streak, Instant now) {
    return switch (verdict) {
      case Verdict.Ending _ ->
          census.active().isEmpty() ? new Nothing() : new Finish(census.active());
      case Verdict.Open _ ->
          job.object().isDeleting() ? new Nothing() : goOn(job, census, streak, now);
    };
  }

  private static PodWork goOn(Job job, PodCensus census, FailureStreak streak, Instant now) {
    if (job.isSuspended()) {
      return census.active().isEmpty() ? new Nothing() : new Remove(census.active());
    }
    long active = census.active().size();
    long wanted = wanted(job, census);
    if (active > wanted) {
      long surplus = Math.min(active - wanted, MOST_AT_ONCE);
      return new Remove(
          census.active().stream().sorted(RemovalOrder.FIRST_TO_GO).limit(surplus).toList());
    }
    long missing = wanted - active - (job.replacesOnlyFailed() ? census.terminating() : 0);
    if (missing <= 0) {
      return new Nothing();
    }
    Duration delay = streak.delay(now);
    return delay.isPositive() ? new Hold(delay) : new Create(Math.min(missing, MOST_AT_ONCE));
  }

  private static long wanted(Job job, PodCensus census) {
    long succeeded = census.succeeded(job);
    if (job.completions().isEmpty()) {
      // One success says that the work is done: the others finish, and no new ones start.
      return succeeded > 0 ? census.active().size() : job.parallelism();
    }
    long left = Math.max(0, job.completions().getAsLong() - succeeded);
    return Math.min(job.parallelism(), left);
  }
}
