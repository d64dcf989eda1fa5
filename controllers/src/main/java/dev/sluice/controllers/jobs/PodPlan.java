package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** What is to be done about a Job's pods next. */
sealed interface PodPlan {
  /** One look at a Job makes or removes no more pods than this; the next look goes on. */
  int MAX_AT_ONCE = 1_000;

  /** Whether doing it changes pods. */
  default boolean changesPods() {
    return switch (this) {
      case Nothing _, Hold _ -> false;
      case Finish _, Remove _, Create _ -> true;
    };
  }

  /** Whether there may be more of it than one look does. */
  default boolean leavesMore() {
    return switch (this) {
      case Nothing _, Hold _, Finish _ -> false;
      case Remove(List<Pod> pods) -> pods.size() >= MAX_AT_ONCE;
      case Create(List<NewPod> pods) -> pods.size() >= MAX_AT_ONCE;
    };
  }

  /** Nothing. */
  record Nothing() implements PodPlan {}

  /** The Job ends, so its pods do; how they end still counts. */
  record Finish(List<Pod> pods) implements PodPlan {
    public Finish {
      pods = List.copyOf(pods);
    }
  }

  /** These pods are not wanted any more; they do not count. */
  record Remove(List<Pod> pods) implements PodPlan {
    public Remove {
      pods = List.copyOf(pods);
    }
  }

  /** More pods are wanted. */
  record Create(List<NewPod> pods) implements PodPlan {
    public Create {
      pods = List.copyOf(pods);
    }
  }

  /** More pods are wanted, but not yet. */
  record Hold(Duration delay) implements PodPlan {}

  /** The work for a Job, given its verdict. A Job that is being deleted gets no new pods. */
  static PodPlan of(
      Job job, PodCounts census, JobOutcome verdict, PodFailureBackoff streak, Instant now) {
    Collection<Pod> active = census.pods().active();
    return switch (verdict) {
      case JobOutcome.Ending _ ->
          active.isEmpty() ? new Nothing() : new Finish(List.copyOf(active));
      case JobOutcome.Open _ ->
          job.object().isDeleting() ? new Nothing() : goOn(job, census, streak, now);
    };
  }

  private static PodPlan goOn(Job job, PodCounts census, PodFailureBackoff streak, Instant now) {
    Collection<Pod> active = census.pods().active();
    if (job.isSuspended()) {
      return active.isEmpty() ? new Nothing() : new Remove(List.copyOf(active));
    }
    long wanted = wanted(job, census);
    List<Pod> surplus = PodDeletionOrder.surplus(job, census.pods(), census.active() - wanted);
    if (!surplus.isEmpty()) {
      return new Remove(surplus.subList(0, Math.min(surplus.size(), MAX_AT_ONCE)));
    }
    long ending = job.replacesOnlyFailed() ? census.terminating() : 0;
    long missing = Math.min(wanted - census.active() - ending, MAX_AT_ONCE);
    if (missing <= 0) {
      return new Nothing();
    }
    if (job.isIndexed() && job.backoffLimitPerIndex().isPresent()) {
      return IndexPicker.countedPods(job, census, missing, now);
    }
    Duration delay = streak.delay(now);
    return delay.isPositive() ? new Hold(delay) : new Create(pods(job, census, missing));
  }

  private static long wanted(Job job, PodCounts census) {
    if (job.completions().isEmpty()) {
      // One success says that the work is done: the others finish, and no new ones start.
      return census.succeeded() > 0 ? census.active() : job.parallelism();
    }
    long left = Math.max(0, job.completions().getAsLong() - census.succeeded());
    return Math.min(job.parallelism(), left);
  }

  private static List<NewPod> pods(Job job, PodCounts census, long missing) {
    if (!job.isIndexed()) {
      return Collections.nCopies(Math.toIntExact(missing), new NewPod.Plain());
    }
    return IndexPicker.pending(job, census, missing).stream()
        .<NewPod>map(NewPod.Indexed::new)
        .toList();
  }
}
