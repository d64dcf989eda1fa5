package dev.sluice.controllers.jobs;

import dev.sluice.model.Condition;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether a Job goes on. Failure beats success, and nothing beats what was announced. */
sealed interface Verdict {
  Verdict OPEN = new Open();

  /** It goes on. */
  record Open() implements Verdict {}

  /**
   * It ends. That is told twice: first that it will, when the decision falls, and then that it has,
   * when the last pod is gone and counted.
   */
  sealed interface Ending extends Verdict {
    String reason();

    String message();

    /** The condition that announces it. */
    default Condition announcement() {
      return switch (this) {
        case Success _ -> new Condition(JobStatus.SUCCESS_CRITERIA_MET, true, reason(), message());
        case Failure _ -> new Condition(JobStatus.FAILURE_TARGET, true, reason(), message());
      };
    }

    /** The condition that concludes it. */
    default Condition conclusion() {
      return switch (this) {
        case Success _ -> new Condition(JobStatus.COMPLETE, true, reason(), message());
        case Failure _ -> new Condition(JobStatus.FAILED, true, reason(), message());
      };
    }
  }

  /** Enough pods succeeded. */
  record Success(String reason, String message) implements Ending {}

  /** Too much went wrong, or took too long. */
  record Failure(String reason, String message) implements Ending {}

  /** The ending that was announced before, or that failures and the time bring about. */
  static Verdict of(Job job, PodCensus census, Instant now) {
    JobStatus status = job.status();
    if (status.holds(JobStatus.SUCCESS_CRITERIA_MET)) {
      Tree told = status.condition(JobStatus.SUCCESS_CRITERIA_MET).orElse(Tree.EMPTY);
      return new Success(told.text("reason"), told.text("message"));
    }
    if (status.holds(JobStatus.FAILURE_TARGET)) {
      Tree told = status.condition(JobStatus.FAILURE_TARGET).orElse(Tree.EMPTY);
      return new Failure(told.text("reason"), told.text("message"));
    }
    if (exceedsBackoffLimit(job, census)) {
      return new Failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    return deadlineLeft(job, now).filter(left -> !left.isPositive()).isPresent()
        ? new Failure("DeadlineExceeded", "Job was active longer than specified deadline")
        : OPEN;
  }

  private static boolean exceedsBackoffLimit(Job job, PodCensus census) {
    long limit = job.backoffLimit();
    if (census.failed(job) > limit) {
      return true;
    }
    if (!job.podSpec().restartsOnFailure()) {
      return false;
    }
    long restarts = census.active().stream().mapToLong(pod -> pod.status().restarts()).sum();
    // Kubernetes compares restarts with "at least" but failed pods with "more than".
    return limit == 0 ? restarts > 0 : restarts >= limit;
  }

  /** How long the Job may still run, if it has a deadline and runs. */
  static Optional<Duration> deadlineLeft(Job job, Instant now) {
    if (job.isSuspended()) {
      return Optional.empty();
    }
    Instant started = job.status().started().orElse(now);
    return job.activeDeadline().map(most -> most.minus(Duration.between(started, now)));
  }

  /** Success, if enough pods succeeded and none is active. */
  static Verdict completion(Job job, PodCensus census) {
    // A Job that never started cannot finish, except for one that wants nothing done.
    boolean unstarted = job.isSuspended() && job.status().started().isEmpty();
    long wanted = job.completions().orElse(1);
    boolean reached =
        census.active().isEmpty() && census.succeeded(job) >= wanted && !(unstarted && wanted > 0);
    return reached
        ? new Success("CompletionsReached", "Reached expected number of succeeded pods")
        : OPEN;
  }
}
