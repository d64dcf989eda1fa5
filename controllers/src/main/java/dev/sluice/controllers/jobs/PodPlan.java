package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The next action on a Job's pods. */
sealed interface PodPlan {
  /** One sync creates or deletes no more pods than this; the next sync continues. */
  int MAX_AT_ONCE = 1_000;

  default boolean changesPods() {
    return switch (this) {
      case Nothing _, Hold _ -> false;
      case Finish _, Remove _, Create _ -> true;
    };
  }

  /** Whether one sync may not be enough for it. */
  default boolean leavesMore() {
    return switch (this) {
      case Nothing _, Hold _, Finish _ -> false;
      case Remove(List<Pod> pods) -> pods.size() >= MAX_AT_ONCE;
      case Create(List<NewPod> pods) -> pods.size() >= MAX_AT_ONCE;
    };
  }

  record Nothing() implements PodPlan {}

  /** The Job ends, so its pods are deleted; how they end still counts. */
  record Finish(List<Pod> pods) implements PodPlan {
    public Finish {
      pods = List.copyOf(pods);
    }
  }

  /** These pods are surplus: they are deleted and do not count. */
  record Remove(List<Pod> pods) implements PodPlan {
    public Remove {
      pods = List.copyOf(pods);
    }
  }

  /** More pods are needed. */
  record Create(List<NewPod> pods) implements PodPlan {
    public Create {
      pods = List.copyOf(pods);
    }
  }

  /** More pods are needed, but only after a delay. */
  record Hold(Duration delay) implements PodPlan {}

  /** The plan for a Job with this outcome. A Job that is being deleted gets no new pods. */
  static PodPlan of(
      Job job, PodCounts counts, JobOutcome outcome, PodFailureBackoff streak, Instant now) {
    Collection<Pod> active = counts.pods().active();
    return switch (outcome) {
      case JobOutcome.Ending _ ->
          active.isEmpty() ? new Nothing() : new Finish(List.copyOf(active));
      case JobOutcome.Open _ ->
          job.object().isDeleting() ? new Nothing() : goOn(job, counts, streak, now);
    };
  }

  private static PodPlan goOn(Job job, PodCounts counts, PodFailureBackoff streak, Instant now) {
    Collection<Pod> active = counts.pods().active();
    if (job.isSuspended()) {
      return active.isEmpty() ? new Nothing() : new Remove(List.copyOf(active));
    }
    long wanted = wanted(job, counts);
    List<Pod> surplus = PodDeletionOrder.surplus(job, counts.pods(), counts.active() - wanted);
    if (!surplus.isEmpty()) {
      return new Remove(surplus.subList(0, Math.min(surplus.size(), MAX_AT_ONCE)));
    }
    long ending = job.replacesOnlyFailed() ? counts.terminating() : 0;
    long missing = Math.min(wanted - counts.active() - ending, MAX_AT_ONCE);
    if (missing <= 0) {
      return new Nothing();
    }
    if (job.isIndexed() && job.backoffLimitPerIndex().isPresent()) {
      return IndexPicker.countedPods(job, counts, missing, now);
    }
    Duration delay = streak.delay(now);
    return delay.isPositive() ? new Hold(delay) : new Create(pods(job, counts, missing));
  }

  private static long wanted(Job job, PodCounts counts) {
    if (job.completions().isEmpty()) {
      // One success says that the work is done: the other pods finish, and no new ones start.
      return counts.succeeded() > 0 ? counts.active() : job.parallelism();
    }
    long left = Math.max(0, job.completions().getAsLong() - counts.succeeded());
    return Math.min(job.parallelism(), left);
  }

  private static List<NewPod> pods(Job job, PodCounts counts, long missing) {
    if (!job.isIndexed()) {
      return Collections.nCopies(Math.toIntExact(missing), new NewPod.Plain());
    }
    return IndexPicker.pending(job, counts, missing).stream()
        .<NewPod>map(NewPod.Indexed::new)
        .toList();
  }
}
