package dev.sluice.conformance.controllers;

import dev.sluice.runtime.Deletion.Propagation;
import java.util.ArrayList;
import java.util.List;

/** What happens to Jobs and their pods, step by step, in any world. */
final class JobScripts {
  private JobScripts() {}

  /** One thing that happens to a Job. */
  interface Step {
    void in(JobStage stage, String job);
  }

  /** A Job by its name and spec, and what happens to it. */
  record Script(String name, String spec, List<Step> steps) {
    Script {
      steps = List.copyOf(steps);
    }

    Script then(Step step) {
      var more = new ArrayList<>(steps);
      more.add(step);
      return new Script(name, spec, more);
    }
  }

  private static Script script(String name, String spec) {
    return new Script(name, spec, List.of());
  }

  private static Step succeed(int... indexes) {
    return (stage, job) -> {
      for (int index : indexes) {
        stage.succeed(job, index);
      }
    };
  }

  private static Step fail(int index, int exitCode) {
    return (stage, job) -> stage.fail(job, index, exitCode);
  }

  private static Step change(String spec) {
    return (stage, job) -> stage.change(job, spec);
  }

  private static final String INDEXED = "completionMode: Indexed, completions: 4, parallelism: 4";

  private static final String PER_INDEX = "{" + INDEXED + ", backoffLimitPerIndex: 0";

  static final List<Script> ALL =
      List.of(
          script("success", "{completions: 2, parallelism: 2}").then(succeed(0, 1)),
          script("one-at-a-time", "{completions: 2}").then(succeed(0)).then(succeed(0)),
          script("work-queue", "{parallelism: 3}").then(succeed(0)).then(succeed(0, 1)),
          script("nothing", "{completions: 0}"),
          script("nothing-held", "{completions: 0, suspend: true}"),
          script("failure", "{completions: 2, parallelism: 2, backoffLimit: 0}")
              .then(JobStage::bind)
              .then(fail(0, 1))
              .then(JobStage::end),
          script("retry", "{backoffLimit: 1}").then(fail(0, 1)).then(fail(0, 1)),
          script("restarts", "{backoffLimit: 2, template: {spec: {restartPolicy: OnFailure}}}")
              .then(JobStage::bind)
              .then((stage, job) -> stage.restart(job, 1))
              .then((stage, job) -> stage.restart(job, 2))
              .then(JobStage::end),
          script("deadline", "{parallelism: 2, completions: 2, activeDeadlineSeconds: 4}"),
          script("held", "{suspend: true, parallelism: 2, completions: 2}")
              .then(change("{suspend: false}"))
              .then(JobStage::bind)
              .then(change("{suspend: true}"))
              .then(JobStage::end)
              .then(change("{suspend: false}"))
              .then(succeed(0, 1)),
          script("scaled", "{parallelism: 3, completions: 3}")
              .then(change("{parallelism: 1}"))
              .then(change("{parallelism: 2}")),
          script("deleted-pod", "{}").then(JobStage::bind).then(JobStage::deletePod),
          script("deleted-pod-awaited", "{podReplacementPolicy: Failed}")
              .then(JobStage::bind)
              .then(JobStage::deletePod)
              .then(JobStage::end),
          script("indexed", "{completionMode: Indexed, completions: 4, parallelism: 2}")
              .then(succeed(1))
              .then(succeed(0, 2))
              .then(succeed(3)),
          script("elastic", "{" + INDEXED + "}")
              .then(succeed(1, 3))
              .then(change("{completions: 2, parallelism: 2}"))
              .then(change("{completions: 3, parallelism: 3}"))
              .then(succeed(0, 2)),
          script("limit-per-index", "{" + INDEXED + ", backoffLimitPerIndex: 1}")
              .then(fail(2, 1))
              .then(fail(2, 1))
              .then(succeed(0, 1, 3)),
          script(
                  "failed-indexes",
                  "{" + INDEXED + ", backoffLimitPerIndex: 0, maxFailedIndexes: 1}")
              .then(fail(0, 1))
              .then(fail(3, 1)),
          script(
                  "failure-rules",
                  "{parallelism: 3, completions: 3, podFailurePolicy: {rules: [{action: Ignore,"
                      + " onExitCodes: {operator: In, values: [5]}}, {action: FailJob, onExitCodes:"
                      + " {containerName: main, operator: NotIn, values: [1]}}]}}")
              .then(fail(0, 1))
              .then(fail(0, 5))
              .then(fail(0, 42)),
          script(
                  "failed-index-by-rule",
                  "{"
                      + INDEXED
                      + ", backoffLimitPerIndex: 3, podFailurePolicy: {rules: [{action: FailIndex,"
                      + " onExitCodes: {operator: In, values: [7]}}]}}")
              .then(fail(1, 7))
              .then(succeed(0, 2, 3)),
          script(
                  "disruption",
                  "{backoffLimit: 0, podFailurePolicy: {rules: [{action: FailJob, onPodConditions:"
                      + " [{type: DisruptionTarget}]}]}}")
              .then(JobStage::bind)
              .then(JobStage::disrupt),
          script(
                  "disruption-of-a-counted-pod",
                  "{parallelism: 2, completions: 2, podFailurePolicy: {rules: [{action: FailJob,"
                      + " onPodConditions: [{type: DisruptionTarget}]}]}}")
              .then(fail(0, 1))
              .then(JobStage::disruptFailed),
          script(
                  "success-rules",
                  "{"
                      + INDEXED
                      + ", successPolicy: {rules: [{succeededIndexes: '1-3',"
                      + " succeededCount: 1}]}}")
              .then(JobStage::bind)
              .then(succeed(0))
              .then(succeed(2))
              .then(JobStage::end),
          script(
                  "success-beats-later-failure",
                  "{"
                      + INDEXED
                      + ", backoffLimit: 0, successPolicy: {rules: [{succeededCount: 1}]}}")
              .then(JobStage::bind)
              .then(succeed(1))
              .then(JobStage::end),
          script("others", "{managedBy: acme.io/other}"),
          script("short-lived", "{ttlSecondsAfterFinished: 1}").then(succeed(0)),
          script("no-pods-wanted", "{parallelism: 0, completions: 2}")
              .then(change("{parallelism: 2}")),
          script("no-restart", "{backoffLimit: 0, template: {spec: {restartPolicy: OnFailure}}}")
              .then(JobStage::bind)
              .then((stage, job) -> stage.restart(job, 1)),
          script(
                  "restarts-of-an-ending-pod",
                  "{parallelism: 2, completions: 2, backoffLimit: 3, podReplacementPolicy: Failed,"
                      + " template: {spec: {restartPolicy: OnFailure}}}")
              .then(JobStage::bind)
              .then((stage, job) -> stage.restart(job, 2))
              .then(JobStage::deletePod)
              .then((stage, job) -> stage.restart(job, 1))
              .then(JobStage::end),
          script("two-limits", "{" + INDEXED + ", backoffLimitPerIndex: 5, backoffLimit: 1}")
              .then(fail(0, 1))
              .then(fail(1, 1)),
          script("held-deadline", "{activeDeadlineSeconds: 12}")
              .then(change("{suspend: true}"))
              .then(change("{suspend: false}")),
          script("later-deadline", "{activeDeadlineSeconds: 600}")
              .then(change("{activeDeadlineSeconds: 3}")),
          script("resumed-early", "{parallelism: 2, completions: 2}")
              .then(JobStage::bind)
              .then(change("{suspend: true}"))
              .then(change("{suspend: false}"))
              .then(JobStage::end),
          script(
                  "resumed-early-awaited",
                  "{parallelism: 2, completions: 2, podReplacementPolicy: Failed}")
              .then(JobStage::bind)
              .then(change("{suspend: true}"))
              .then(change("{suspend: false}"))
              .then(JobStage::end),
          script("pending-pod-deleted", "{backoffLimit: 0}").then(JobStage::deletePod),
          script("relabeled-pod", "{parallelism: 2, completions: 2}")
              .then((stage, job) -> stage.relabel(job, 0))
              .then(succeed(0, 1)),
          script("untracked-pod", "{}").then(JobStage::untrack).then(succeed(0)),
          script("misplaced-pod", "{completionMode: Indexed, completions: 2, parallelism: 2}")
              .then((stage, job) -> stage.misplace(job, 1, "7")),
          script("pods-of-one-index", "{completionMode: Indexed, completions: 2, parallelism: 2}")
              .then(JobStage::bindFirst)
              .then((stage, job) -> stage.misplace(job, 1, "0")),
          script("scaled-with-nodes", "{parallelism: 3, completions: 3}")
              .then(JobStage::bindFirst)
              .then(change("{parallelism: 1}")),
          script(
                  "ignored-failure-of-index",
                  "{"
                      + INDEXED
                      + ", backoffLimitPerIndex: 1, podFailurePolicy: {rules: [{action: Ignore,"
                      + " onExitCodes: {operator: In, values: [7]}}]}}")
              .then(fail(1, 7))
              .then(succeed(0, 1, 2, 3)),
          script("indexes-in-runs", "{completionMode: Indexed, completions: 8, parallelism: 8}")
              .then(succeed(0, 1, 3, 4, 5, 7)),
          script("deleted", "{parallelism: 2, completions: 2}").then(JobStage::deleteJob),
          script("deleted-while-pods-run", "{parallelism: 2, completions: 2}")
              .then(JobStage::bind)
              .then(JobStage::deleteJob)
              .then(JobStage::end),
          script("deleted-last", "{parallelism: 2, completions: 2}")
              .then(JobStage::bind)
              .then((stage, job) -> stage.deleteJob(job, Propagation.FOREGROUND))
              .then(JobStage::end),
          script("deleted-alone", "{parallelism: 2, completions: 2}")
              .then(JobStage::bind)
              .then((stage, job) -> stage.deleteJob(job, Propagation.ORPHAN)),
          script("elastic-with-failed-index", "{" + INDEXED + ", backoffLimitPerIndex: 0}")
              .then(fail(3, 1))
              .then(change("{completions: 3, parallelism: 3}"))
              .then(succeed(0, 1, 2)),
          script(
                  "second-success-rule",
                  "{"
                      + INDEXED
                      + ", successPolicy: {rules: [{succeededIndexes: '0,3'}, {succeededCount:"
                      + " 2}]}}")
              .then(succeed(1))
              .then(succeed(2)),
          script("no-failed-index-allowed", PER_INDEX + ", maxFailedIndexes: 0}").then(fail(2, 1)),
          script("failed-indexes-at-the-end", PER_INDEX + "}")
              .then(succeed(0, 1, 2))
              .then(fail(3, 1)),
          script("deleted-pod-of-index", "{" + INDEXED + ", backoffLimitPerIndex: 1}")
              .then(JobStage::bind)
              .then(JobStage::deletePod)
              .then(JobStage::end),
          script(
                  "deleted-pod-of-index-awaited",
                  "{" + INDEXED + ", backoffLimitPerIndex: 1, podReplacementPolicy: Failed}")
              .then(JobStage::bind)
              .then(JobStage::deletePod)
              .then(JobStage::end),
          script(
                  "scaled-while-a-pod-ends",
                  "{parallelism: 2, completions: 2, podReplacementPolicy: Failed}")
              .then(JobStage::bind)
              .then(JobStage::deletePod)
              .then(change("{parallelism: 1}"))
              .then(change("{parallelism: 2}"))
              .then(JobStage::end),
          script("scaled-to-nothing", "{parallelism: 2, completions: 4}")
              .then(JobStage::bind)
              .then(succeed(0))
              .then(change("{parallelism: 0}"))
              .then(JobStage::end)
              .then(change("{parallelism: 3}")),
          script("work-queue-that-grows-too-late", "{parallelism: 2}")
              .then(succeed(0))
              .then(change("{parallelism: 4}")),
          script("held-after-a-failure", "{parallelism: 2, completions: 2}")
              .then(JobStage::bind)
              .then(fail(0, 1))
              .then(change("{suspend: true}"))
              .then(JobStage::end)
              .then(change("{suspend: false}")),
          script(
                  "counted-by-rule",
                  "{backoffLimit: 0, podFailurePolicy: {rules: [{action: Count, onExitCodes:"
                      + " {operator: In, values: [3]}}, {action: Ignore, onExitCodes: {operator:"
                      + " NotIn, values: [0]}}]}}")
              .then(fail(0, 3)),
          script(
                  "restarts-of-indexes",
                  "{"
                      + INDEXED
                      + ", backoffLimit: 3, template: {spec: {restartPolicy: OnFailure}}}")
              .then(JobStage::bind)
              .then((stage, job) -> stage.restart(job, 3))
              .then(JobStage::end),
          script("short-lived-later", "{}")
              .then(succeed(0))
              .then(change("{ttlSecondsAfterFinished: 1}")));
}
