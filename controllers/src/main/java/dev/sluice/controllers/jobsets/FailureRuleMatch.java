package dev.sluice.controllers.jobsets;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.jobset.JobSetFailureRule;
import dev.sluice.model.tree.Tree;

/** Whether a rule of a failure policy matches a failed Job. */
final class FailureRuleMatch {
  private FailureRuleMatch() {}

  static boolean matches(JobSetFailureRule rule, Job failed) {
    Tree condition = failed.status().condition(JobStatus.FAILED).orElse(Tree.EMPTY);
    String message = condition.text("message");
    return (rule.reasons().isEmpty() || rule.reasons().contains(condition.text("reason")))
        && (rule.targets().isEmpty() || rule.targets().contains(OwnedJobs.replicatedJob(failed)))
        && (rule.messagePatterns().isEmpty()
            || rule.messagePatterns().stream().anyMatch(pattern -> finds(pattern, message)));
  }

  /** A pattern that cannot be read finds nothing, as in the JobSet project. */
  private static boolean finds(String pattern, String message) {
    try {
      return Pattern.compile(pattern).matcher(message).find();
    } catch (PatternSyntaxException unreadable) {
      return false;
    }
  }
}
