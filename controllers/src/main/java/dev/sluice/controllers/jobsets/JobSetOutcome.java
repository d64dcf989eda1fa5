package dev.sluice.controllers.jobsets;

import dev.sluice.model.Condition;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSetFailureRule;
import dev.sluice.model.jobset.JobSetFailureRule.Action;
import dev.sluice.model.jobset.ReplicatedJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the ends of its Jobs mean for a JobSet. A failed Job is handled before success counts; the
 * first rule of the failure policy that matches any failed Job decides, and without one the JobSet
 * restarts.
 */
sealed interface JobSetOutcome {

  /** It goes on. */
  record Open() implements JobSetOutcome {}

  record Completed() implements JobSetOutcome {}

  /** It has failed for good. */
  record Failed(String reason, String message) implements JobSetOutcome {}

  /**
   * All its Jobs are made again.
   *
   * @param counts whether the restart counts towards the maximum
   * @param reason of the condition: which rule asked for it
   */
  record Restarts(boolean counts, Action action, String reason, String message)
      implements JobSetOutcome {}

  static JobSetOutcome of(JobSet set, OwnedJobs jobs) {
    if (!jobs.failed().isEmpty()) {
      return afterFailure(set, jobs.failed());
    }
    return hasSucceeded(set, jobs.successful()) ? new Completed() : new Open();
  }

  private static boolean hasSucceeded(JobSet set, List<Job> successful) {
    long counted =
        successful.stream()
            .filter(job -> set.countsSuccessOf(OwnedJobs.replicatedJob(job)))
            .count();
    long wanted =
        set.replicatedJobs().stream()
            .filter(replicated -> set.countsSuccessOf(replicated.name()))
            .mapToLong(ReplicatedJob::replicas)
            .sum();
    return counted > 0 && (set.succeedsWithAny() || counted >= wanted);
  }

  private static JobSetOutcome afterFailure(JobSet set, List<Job> failed) {
    if (!set.hasFailurePolicy()) {
      return new Failed(
          "FailedJobs", because("jobset failed due to one or more job failures", first(failed)));
    }
    for (JobSetFailureRule rule : set.failureRules()) {
      List<Job> matched =
          failed.stream().filter(job -> FailureRuleMatch.matches(rule, job)).toList();
      if (!matched.isEmpty()) {
        return apply(set, rule.action(), "FailurePolicy_" + rule.name(), first(matched));
      }
    }
    return apply(set, Action.RESTART_JOB_SET, "DefaultFailurePolicy", first(failed));
  }

  private static JobSetOutcome apply(JobSet set, Action action, String reason, Job first) {
    String applying = "applying %s failure policy action".formatted(action.word());
    return switch (action) {
      case FAIL_JOB_SET -> new Failed("FailJobSetFailurePolicyAction", because(applying, first));
      case RESTART_JOB_SET ->
          set.countedRestarts() >= set.maxRestarts()
              ? new Failed(
                  "ReachedMaxRestarts",
                  because("jobset failed due to reaching max number of restarts", first))
              : new Restarts(true, action, reason, because(applying, first));
      case RESTART_JOB_SET_AND_IGNORE_MAX_RESTARTS ->
          new Restarts(false, action, reason, because(applying, first));
    };
  }

  private static String because(String what, Job first) {
    return "%s (first failed job: %s)".formatted(what, first.name());
  }

  /** The Job that failed first; of several at the same time that of the first name. */
  private static Job first(List<Job> failed) {
    return failed.stream()
        .min(Comparator.comparing(JobSetOutcome::failure).thenComparing(Job::name))
        .orElseThrow();
  }

  private static Instant failure(Job job) {
    Optional<Instant> since = Condition.since(job.object().status(), JobStatus.FAILED);
    return since.orElse(Instant.MAX);
  }
}
