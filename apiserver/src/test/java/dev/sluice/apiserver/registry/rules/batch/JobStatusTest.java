package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the status of a job may say, whoever writes it. */
class JobStatusTest {
  private final World world = new World();

  /** A status before, a status after, and what is refused of it, if anything. */
  record Report(String name, String before, String after, String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String START = "startTime: '2026-01-01T00:00:00Z'";
  private static final String END = "completionTime: '2026-01-01T00:01:00Z'";

  private static final String COMPLETE =
      "{%s, %s, succeeded: 1, conditions: [%s, %s]}"
          .formatted(START, END, is("SuccessCriteriaMet"), is("Complete"));

  static final List<Report> REPORTS =
      List.of(
          new Report("pods run", "{}", "{active: 2, ready: 1, " + START + "}", ""),
          new Report("a negative counter", "{}", "{active: -1}", "greater than or equal to 0"),
          new Report(
              "fewer failures", "{failed: 2}", "{failed: 1}", "cannot decrease the failed counter"),
          new Report(
              "fewer successes",
              "{succeeded: 2}",
              "{succeeded: 1}",
              "cannot decrease the succeeded counter"),
          new Report(
              "more ready than active",
              "{}",
              "{active: 1, ready: 2}",
              "cannot set more ready pods than active"),
          new Report(
              "one pod counted twice",
              "{}",
              "{uncountedTerminatedPods: {succeeded: [u], failed: [u]}}",
              "Duplicate value"),
          new Report(
              "complete",
              "{" + START + ", conditions: [" + is("SuccessCriteriaMet") + "]}",
              COMPLETE,
              ""),
          new Report(
              "complete without success",
              "{" + START + "}",
              "{" + START + ", " + END + ", conditions: [" + is("Complete") + "]}",
              "cannot set Complete=True condition without the SuccessCriteriaMet=true condition"),
          new Report(
              "failed without target",
              "{" + START + "}",
              "{" + START + ", conditions: [" + is("Failed") + "]}",
              "cannot set Failed=True condition without the FailureTarget=true condition"),
          new Report(
              "both ways",
              "{" + START + "}",
              "{"
                  + START
                  + ", conditions: ["
                  + is("FailureTarget")
                  + ", "
                  + is("SuccessCriteriaMet")
                  + "]}",
              "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"),
          new Report(
              "failed no longer",
              "{" + START + ", conditions: [" + is("FailureTarget") + ", " + is("Failed") + "]}",
              "{" + START + ", conditions: [" + is("FailureTarget") + "]}",
              "cannot disable the terminal Failed=True condition"),
          new Report(
              "finished with pods",
              "{" + START + "}",
              "{"
                  + START
                  + ", active: 1, conditions: ["
                  + is("FailureTarget")
                  + ", "
                  + is("Failed")
                  + "]}",
              "active>0 is invalid for finished job"),
          new Report(
              "finished without start",
              "{}",
              "{conditions: [" + is("FailureTarget") + ", " + is("Failed") + "]}",
              "startTime is required for finished job"),
          new Report(
              "complete without its time",
              "{" + START + "}",
              "{"
                  + START
                  + ", conditions: ["
                  + is("SuccessCriteriaMet")
                  + ", "
                  + is("Complete")
                  + "]}",
              "completionTime is required for Complete jobs"),
          new Report(
              "indexes of a job without any",
              "{}",
              "{completedIndexes: '0'}",
              "cannot set non-empty completedIndexes when non-indexed completion mode"),
          new Report(
              "failed indexes of a job whose indexes cannot fail",
              "{}",
              "{failedIndexes: ''}",
              "cannot set non-null failedIndexes when backoffLimitPerIndex is null"),
          new Report(
              "an index beyond the completions",
              "{}",
              "{completedIndexes: '7'}",
              "error parsing completedIndexes: too large index"),
          new Report(
              "success no longer",
              "{" + START + ", conditions: [" + is("SuccessCriteriaMet") + "]}",
              "{" + START + "}",
              "cannot disable the SuccessCriteriaMet=True condition"),
          new Report(
              "failing no longer",
              "{" + START + ", conditions: [" + is("FailureTarget") + "]}",
              "{" + START + "}",
              "cannot disable the terminal FailureTarget=True condition"),
          new Report(
              "complete no longer",
              COMPLETE,
              COMPLETE.replace(", " + is("Complete"), ""),
              "cannot disable the terminal Complete=True condition"),
          new Report(
              "complete and failed",
              "{" + START + "}",
              COMPLETE.replace("conditions: [", "conditions: [" + is("Failed") + ", "),
              "cannot set Complete=True and Failed=true conditions"),
          new Report(
              "complete and failing",
              "{" + START + "}",
              COMPLETE.replace("conditions: [", "conditions: [" + is("FailureTarget") + ", "),
              "cannot set Complete=True and FailureTarget=true conditions"),
          new Report(
              "an end without success",
              "{" + START + "}",
              "{" + START + ", " + END + "}",
              "cannot set completionTime when there is no Complete=True condition"),
          new Report(
              "an end before the start",
              "{" + START + "}",
              COMPLETE.replace(END, "completionTime: '2025-01-01T00:00:00Z'"),
              "must be equal to or after `startTime`"),
          new Report(
              "another end",
              COMPLETE,
              COMPLETE.replace(END, "completionTime: '2026-01-01T00:02:00Z'"),
              "field is immutable"),
          new Report(
              "finished with pods that still end",
              "{" + START + "}",
              COMPLETE.replace("succeeded: 1", "succeeded: 1, terminating: 1"),
              "terminating>0 is invalid for finished job"),
          new Report(
              "finished with pods to count",
              "{" + START + "}",
              COMPLETE.replace("succeeded: 1", "uncountedTerminatedPods: {succeeded: [u]}"),
              "status.uncountedTerminatedPods: Invalid value"),
          new Report(
              "a pod without a uid",
              "{}",
              "{uncountedTerminatedPods: {failed: ['']}}",
              "status.uncountedTerminatedPods.failed[0]: Invalid value: \"\": must not be empty"),
          new Report(
              "a new start with the end of a suspension",
              "{" + START + ", conditions: [" + is("Suspended") + "]}",
              "{startTime: '2026-01-01T00:00:09Z', conditions: [{type: Suspended, status:"
                  + " 'False'}]}",
              ""),
          new Report(
              "another start",
              "{" + START + "}",
              "{startTime: '2026-01-01T00:00:09Z'}",
              "field is immutable for unsuspended job once set"));

  private static String is(String condition) {
    return "{type: %s, status: 'True'}".formatted(condition);
  }

  @ParameterizedTest
  @FieldSource("REPORTS")
  void reports(Report c) {
    check(c, Samples.job("j"));
  }

  private void check(Report c, Tree wanted) {
    ApiObject job = world.create(Kinds.JOB, wanted);
    ApiObject before = world.updateStatus(Kinds.JOB, job.withStatus(World.yaml(c.before())));
    ApiObject after = before.withStatus(World.yaml(c.after()));

    if (c.says().isEmpty()) {
      assertThat(world.updateStatus(Kinds.JOB, after).status()).isEqualTo(after.status());
    } else {
      ApiFailure failure = refused(Reason.INVALID, () -> world.updateStatus(Kinds.JOB, after));
      assertThat(failure.message()).contains(c.says());
    }
  }

  static final List<Report> INDEXED =
      List.of(
          new Report("fewer indexes after shrinking", "{succeeded: 2}", "{succeeded: 1}", ""),
          new Report("both lists", "{}", "{completedIndexes: '0,2', failedIndexes: '1'}", ""),
          new Report(
              "an index in both lists",
              "{}",
              "{completedIndexes: '0-2', failedIndexes: '1'}",
              "failedIndexes and completedIndexes overlap at index: 1"),
          new Report(
              "indexes out of order",
              "{}",
              "{completedIndexes: '2,1'}",
              "error parsing completedIndexes: non-increasing order"),
          new Report(
              "a failed index beyond the completions",
              "{}",
              "{failedIndexes: '3'}",
              "error parsing failedIndexes: too large index"));

  @ParameterizedTest
  @FieldSource("INDEXED")
  void reportsOfIndexes(Report c) {
    Tree spec =
        World.yaml(
            "{completionMode: Indexed, completions: 3, parallelism: 3, backoffLimitPerIndex: 1}");
    check(c, MergePatch.apply(Samples.job("j"), Tree.of("spec", spec)));
  }
}
