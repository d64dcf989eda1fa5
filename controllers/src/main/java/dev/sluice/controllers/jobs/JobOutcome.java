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

/** Whether a Job goes on. Failure beats success, and nothing beats what was announced. */
sealed interface JobOutcome {
  JobOutcome OPEN = new Open();

  /** It goes on. */
  record Open() implements JobOutcome {}

  /**
   * It ends. That is told twice: first that it will, when the decision falls, and then that it has,
   * when the last pod is gone and counted.
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

  /** The ending that was announced before, or that failures, the time or a rule bring about. */
  static JobOutcome of(Job job, PodCounts census, Instant now) {
    return announced(job.status())
        .or(() -> policyFailure(job, census))
        .or(() -> failure(job, census, now))
        .or(() -> indexFailure(job, census.indexes()))
        .or(() -> policySuccess(job, census.indexes().completed()))
        .orElse(OPEN);
  }

  private static Optional<JobOutcome> announced(JobStatus status) {
    if (status.holds(JobStatus.SUCCESS_CRITERIA_MET)) {
      Tree told = status.condition(JobStatus.SUCCESS_CRITERIA_MET).orElse(Tree.EMPTY);
      return Optional.of(new Success(told.text("reason"), told.text("message")));
    }
    if (status.holds(JobStatus.FAILURE_TARGET)) {
      Tree told = status.condition(JobStatus.FAILURE_TARGET).orElse(Tree.EMPTY);
      return Optional.of(new Failure(told.text("reason"), told.text("message")));
    }
    return Optional.empty();
  }

  /** A rule asks of every failed pod, whether or not it is counted or has an index. */
  private static Optional<JobOutcome> policyFailure(Job job, PodCounts census) {
    List<FailedPod> counted = census.pods().countedButFatal(job);
    if (job.failureRules().isEmpty()) {
      return Optional.empty();
    }
    Stream<FailedPod> uncounted =
        census.pods().ended().stream()
            .filter(pod -> PodCounts.isFailed(job, pod))
            .map(pod -> FailedPod.of(job, pod));
    return Stream.concat(uncounted, counted.stream())
        .filter(FailedPod::failsJob)
        .findFirst()
        .map(pod -> new Failure("PodFailurePolicy", pod.why()));
  }

  private static Optional<JobOutcome> failure(Job job, PodCounts census, Instant now) {
    if (exceedsBackoffLimit(job, census)) {
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

  private static boolean exceedsBackoffLimit(Job job, PodCounts census) {
    long limit = job.backoffLimit();
    if (census.failed() > limit) {
      return true;
    }
    if (!job.podSpec().restartsOnFailure()) {
      return false;
    }
    long restarts = census.restarts();
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
  static JobOutcome completion(Job job, PodCounts census) {
    // A Job that never started cannot finish, except for one that wants nothing done.
    boolean unstarted = job.isSuspended() && job.status().started().isEmpty();
    long wanted = job.completions().orElse(1);
    boolean reached =
        census.active() == 0 && census.succeeded() >= wanted && !(unstarted && wanted > 0);
    return reached
        ? new Success("CompletionsReached", "Reached expected number of succeeded pods")
        : OPEN;
  }
}
