package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.FailureRule;
import dev.sluice.model.batch.FailureRule.Action;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobPod.FailedContainer;
import dev.sluice.model.core.pod.Pod;
import java.util.List;
import java.util.Optional;

/**
 * A failed pod with the action that the Job's pod failure policy takes for it.
 *
 * @param action that of the first rule that matches; counting if none does
 * @param why how the rule matched, in the words of a condition; empty if none did
 */
record FailedPod(Pod pod, Action action, String why) {

  static FailedPod of(Job job, Pod pod) {
    List<FailureRule> rules = job.failureRules();
    for (int i = 0; i < rules.size(); i++) {
      FailureRule rule = rules.get(i);
      Optional<String> match = match(rule, pod);
      if (match.isPresent()) {
        String why =
            "%s matching %s rule at index %d".formatted(match.get(), word(rule.action()), i);
        return new FailedPod(pod, rule.action(), why);
      }
    }
    return new FailedPod(pod, Action.COUNT, "");
  }

  /** The API's name of an action. */
  static String word(Action action) {
    return switch (action) {
      case COUNT -> "Count";
      case FAIL_INDEX -> "FailIndex";
      case FAIL_JOB -> "FailJob";
      case IGNORE -> "Ignore";
    };
  }

  private static Optional<String> match(FailureRule rule, Pod pod) {
    String path = pod.object().path();
    var seen = new JobPod(pod);
    if (rule.looksAtExitCodes()) {
      return seen.failedContainers().stream()
          .filter(failed -> isMeant(rule, failed))
          .findFirst()
          .map(failed ->
              "Container %s for pod %s failed with exit code %d"
                  .formatted(failed.name(), path, failed.exitCode()));
    }
    return seen.conditions().stream()
        .filter(rule.conditions()::contains)
        .findFirst()
        .map(condition -> "Pod %s has condition %s".formatted(path, condition.type()));
  }

  private static boolean isMeant(FailureRule rule, FailedContainer failed) {
    boolean named = rule.containerName().isEmpty() || rule.containerName().equals(failed.name());
    return named && rule.isAbout(failed.exitCode());
  }

  boolean isMatched() {
    return !why.isEmpty();
  }

  boolean counts() {
    return action != Action.IGNORE;
  }

  boolean failsJob() {
    return action == Action.FAIL_JOB;
  }

  /** Whether this failure exhausts the backoff limit of its index. */
  boolean failsIndex(long limit) {
    return action == Action.FAIL_INDEX || (counts() && new JobPod(pod).failures() >= limit);
  }
}
