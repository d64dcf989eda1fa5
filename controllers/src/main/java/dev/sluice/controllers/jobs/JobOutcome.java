package dev.sluice.controllers.jobs;

import dev.sluice.model.Condition;
import dev.sluice.model.batch.Indexes;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.batch.SuccessRule;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The outcome of a Job: open, success or failure. Failure beats success, and an outcome that the
 * status already announces is final.
 */
sealed interface JobOutcome {
  JobOutcome OPEN = new Open();

  /** The Job continues. */
  record Open() implements JobOutcome {}

  /**
   * The Job ends. Two conditions say so: one announces it, when the decision is taken, and one
   * concludes it, when the last pod is gone and counted.
   */
  sealed interface Ending extends JobOutcome {
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

  /**
   * The outcome that was announced before, or that follows from failures, the deadline or a policy.
   */
  static JobOutcome of(Job job, PodCounts counts, Instant now) {
    return announced(job.status())
        .or(() -> policyFailure(job, counts))
        .or(() -> failure(job, counts, now))
        .or(() -> indexFailure(job, counts.indexes()))
        .or(() -> policySuccess(job, counts.indexes().completed()))
        .orElse(OPEN);
  }

  private static Optional<JobOutcome> announced(JobStatus status) {
    if (status.holds(JobStatus.SUCCESS_CRITERIA_MET)) {
      Tree condition = status.condition(JobStatus.SUCCESS_CRITERIA_MET).orElse(Tree.EMPTY);
      return Optional.of(new Success(condition.text("reason"), condition.text("message")));
    }
    if (status.holds(JobStatus.FAILURE_TARGET)) {
      Tree condition = status.condition(JobStatus.FAILURE_TARGET).orElse(Tree.EMPTY);
      return Optional.of(new Failure(condition.text("reason"), condition.text("message")));
    }
    return Optional.empty();
  }

  /** A FailJob rule applies to every failed pod, whether or not it is counted or has an index. */
  private static Optional<JobOutcome> policyFailure(Job job, PodCounts counts) {
    List<FailedPod> counted = counts.pods().countedButFatal(job);
    if (job.failureRules().isEmpty()) {
      return Optional.empty();
    }
    Stream<FailedPod> uncounted =
        counts.pods().ended().stream()
            .filter(pod -> PodCounts.isFailed(job, pod))
            .map(pod -> FailedPod.of(job, pod));
    return Stream.concat(uncounted, counted.stream())
        .filter(FailedPod::failsJob)
        .findFirst()
        .map(pod -> new Failure("PodFailurePolicy", pod.why()));
  }

  private static Optional<JobOutcome> failure(Job job, PodCounts counts, Instant now) {
    if (exceedsBackoffLimit(job, counts)) {
      return Optional.of(
          new Failure("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
    }
    return deadlineLeft(job, now)
        .filter(left -> !left.isPositive())
        .map(_ -> new Failure("DeadlineExceeded", "Job was active longer than specified deadline"));
  }

  private static Optional<JobOutcome> indexFailure(Job job, JobIndexes indexes) {
    long failed = indexes.failed().size();
    if (failed > job.maxFailedIndexes().orElse(Long.MAX_VALUE)) {
      return Optional.of(
          new Failure(
              "MaxFailedIndexesExceeded",
              "Job has exceeded the specified maximal number of failed indexes"));
    }
    boolean allEnded = failed + indexes.completed().size() >= job.completions().orElse(0);
    return failed > 0 && allEnded
        ? Optional.of(new Failure("FailedIndexes", "Job has failed indexes"))
        : Optional.empty();
  }

  private static Optional<JobOutcome> policySuccess(Job job, Indexes completed) {
    List<SuccessRule> rules = job.successRules();
    for (int i = 0; i < rules.size() && !completed.isEmpty(); i++) {
      if (isMet(rules.get(i), job.completions().orElse(0), completed)) {
        return Optional.of(new Success("SuccessPolicy", "Matched rules at index " + i));
      }
    }
    return Optional.empty();
  }

  private static boolean isMet(SuccessRule rule, long completions, Indexes completed) {
    Optional<Indexes> wanted = rule.indexes(completions);
    if (wanted.isPresent() && completed.containsAll(wanted.get())) {
      return true;
    }
    Indexes reached = wanted.map(completed::shared).orElse(completed);
    return reached.size() >= rule.count().orElse(Long.MAX_VALUE);
  }

  private static boolean exceedsBackoffLimit(Job job, PodCounts counts) {
    long limit = job.backoffLimit();
    if (counts.failed() > limit) {
      return true;
    }
    if (!job.podSpec().restartsOnFailure()) {
      return false;
    }
    long restarts = counts.restarts();
    // Kubernetes compares restarts with "at least" but failed pods with "more than".
    return limit == 0 ? restarts > 0 : restarts >= limit;
  }

  /** How long the Job may still run, if it has a deadline and is not suspended. */
  static Optional<Duration> deadlineLeft(Job job, Instant now) {
    if (job.isSuspended()) {
      return Optional.empty();
    }
    Instant started = job.status().started().orElse(now);
    return job.activeDeadline().map(limit -> limit.minus(Duration.between(started, now)));
  }

  /** Success, if enough pods succeeded and none is active. */
  static JobOutcome completion(Job job, PodCounts counts) {
    // A Job that never started cannot finish, except one that wants no completions.
    boolean unstarted = job.isSuspended() && job.status().started().isEmpty();
    long wanted = job.completions().orElse(1);
    boolean reached =
        counts.active() == 0 && counts.succeeded() >= wanted && !(unstarted && wanted > 0);
    return reached
        ? new Success("CompletionsReached", "Reached expected number of succeeded pods")
        : OPEN;
  }
}
