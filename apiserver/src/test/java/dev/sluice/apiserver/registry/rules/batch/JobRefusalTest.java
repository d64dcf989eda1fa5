package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.Samples.jobWith;
import static dev.sluice.apiserver.registry.World.fields;
import static dev.sluice.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.registry.Samples;
import dev.sluice.apiserver.registry.World;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.MergePatch;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs that are refused, and what is said about them. */
class JobRefusalTest {
  private final World world = new World();

  /** A change of a good job's spec, and what is refused for it. */
  record Bad(String spec, String field, String says) {}

  static final List<Bad> BAD =
      List.of(
          new Bad("{parallelism: -1}", "spec.parallelism", "greater than or equal to 0"),
          new Bad("{completions: -1}", "spec.completions", "greater than or equal to 0"),
          new Bad("{backoffLimit: -1}", "spec.backoffLimit", "greater than or equal to 0"),
          new Bad("{completionMode: Odd}", "spec.completionMode", "Unsupported value"),
          new Bad("{activeDeadlineSeconds: -1}", "spec.activeDeadlineSeconds", "equal to 0"),
          new Bad("{ttlSecondsAfterFinished: -1}", "spec.ttlSecondsAfterFinished", "equal to 0"),
          new Bad(
              "{completionMode: Indexed, completions: null, parallelism: 2}",
              "spec.completions",
              "Required value: when completion mode is Indexed"),
          new Bad(
              "{completionMode: Indexed, completions: 200000, parallelism: 100001}",
              "spec.parallelism",
              "must be less than or equal to 100000 when completion mode is Indexed"),
          new Bad("{backoffLimitPerIndex: 1}", "spec.backoffLimitPerIndex", "requires indexed"),
          new Bad(
              "{completionMode: Indexed, completions: 3, maxFailedIndexes: 1}",
              "spec.backoffLimitPerIndex",
              "Required value: when maxFailedIndexes is specified"),
          new Bad(
              "{completionMode: Indexed, completions: 3, backoffLimitPerIndex: 1,"
                  + " maxFailedIndexes: 4}",
              "spec.maxFailedIndexes",
              "must be less than or equal to completions"),
          new Bad(
              "{completionMode: Indexed, completions: 200000, backoffLimitPerIndex: 1}",
              "spec.maxFailedIndexes",
              "Required value: must be specified when completions is above 100000"),
          new Bad(
              "{completionMode: Indexed, completions: 200000, backoffLimitPerIndex: 1,"
                  + " maxFailedIndexes: 10001}",
              "spec.maxFailedIndexes",
              "must be less than or equal to 10000 when completions are above 100000"),
          new Bad(
              "{completionMode: Indexed, completions: 200000, backoffLimitPerIndex: 1,"
                  + " maxFailedIndexes: 5, parallelism: 10001}",
              "spec.parallelism",
              "must be less than or equal to 10000 when completions are above 100000"),
          new Bad(
              "{podReplacementPolicy: Odd}",
              "spec.podReplacementPolicy",
              "supported values: \"Failed\", \"TerminatingOrFailed\""),
          new Bad(
              "{podReplacementPolicy: TerminatingOrFailed, podFailurePolicy: {rules: []}}",
              "spec.podReplacementPolicy",
              "supported values: \"Failed\""),
          new Bad(
              "{podFailurePolicy: {rules: []}, template: {spec: {restartPolicy: OnFailure}}}",
              "spec.template.spec.restartPolicy",
              "only \"Never\" is supported when podFailurePolicy is specified"),
          rule("{}", ".action", "Required value: valid values: [\"Count\" \"FailIndex\""),
          rule("{action: Odd}", ".action", "Unsupported value: \"Odd\""),
          rule("{action: FailIndex}", ".action", "requires the backoffLimitPerIndex to be set"),
          rule("{onExitCodes: null}", "", "specifying one of OnExitCodes and OnPodConditions"),
          rule(
              "{action: Count, onPodConditions: [{type: Ready}]}",
              "",
              "specifying both OnExitCodes and OnPodConditions is not supported"),
          rule("{onExitCodes: {operator: null}}", ".onExitCodes.operator", "Required value"),
          rule("{onExitCodes: {operator: Odd}}", ".onExitCodes.operator", "Unsupported value"),
          rule(
              "{onExitCodes: {containerName: odd}}",
              ".onExitCodes.containerName",
              "must be one of the container or initContainer names in the pod template"),
          rule("{onExitCodes: {values: []}}", ".onExitCodes.values", "at least one value"),
          rule("{onExitCodes: {values: [2, 1]}}", ".onExitCodes.values", "must be ordered"),
          rule("{onExitCodes: {values: [1, 1]}}", ".onExitCodes.values[1]", "Duplicate value"),
          rule("{onExitCodes: {values: [0]}}", ".onExitCodes.values[0]", "must not be 0"),
          rule(
              "{onExitCodes: null, onPodConditions: [{type: Ready, status: Odd}]}",
              ".onPodConditions[0].status",
              "Unsupported value"),
          rule(
              "{onExitCodes: null, onPodConditions: [{type: '!'}]}",
              ".onPodConditions[0].type",
              "the name part"),
          new Bad(
              "{podFailurePolicy: {rules: ["
                  + "{action: Count, onPodConditions: [{type: A}]}, ".repeat(21)
                  + "]}}",
              "spec.podFailurePolicy.rules",
              "Too many: 21: must have at most 20 items"),
          rule(
              "{onExitCodes: {values: %s}}".formatted(IntStream.range(1, 257).boxed().toList()),
              ".onExitCodes.values",
              "Too many: 256: must have at most 255 items"),
          rule(
              "{onExitCodes: null, onPodConditions: [" + "{type: A},".repeat(21) + "]}",
              ".onPodConditions",
              "Too many: 21: must have at most 20 items"),
          success("{succeededCount: 1},".repeat(21), "Too many: 21: must have at most 20 items"),
          new Bad(
              "{completionMode: Indexed, completions: 20000, successPolicy: {rules:"
                  + " [{succeededIndexes: '%s'}]}}"
                      .formatted(
                          IntStream.range(0, 20_000)
                              .mapToObj(Integer::toString)
                              .collect(Collectors.joining(","))),
              "spec.successPolicy.rules[0].succeededIndexes",
              "may not be more than 65536 bytes"),
          new Bad("{successPolicy: {rules: []}}", "spec.successPolicy", "requires indexed"),
          success("", "Required value: at least one rules"),
          success("{}", "[0]", "at least one of succeededCount or succeededIndexes"),
          success("{succeededCount: -1}", "[0].succeededCount", "greater than or equal to 0"),
          success("{succeededCount: 6}", "[0].succeededCount", "must be less than or equal to 5"),
          success(
              "{succeededCount: 3, succeededIndexes: '0-1'}",
              "[0].succeededCount",
              "must be less than or equal to 2 (the number of indexes"),
          success("{succeededIndexes: '5'}", "[0].succeededIndexes", "too large index"),
          success("{succeededIndexes: '2,1'}", "[0].succeededIndexes", "non-increasing order"),
          success("{succeededIndexes: 'x'}", "[0].succeededIndexes", "cannot convert string"),
          success("{succeededIndexes: '1-2-3'}", "[0].succeededIndexes", "at most two parts"),
          new Bad("{managedBy: me}", "spec.managedBy", "acme.io/foo"),
          new Bad(
              "{template: {spec: {restartPolicy: Always}}}",
              "spec.template.spec.restartPolicy",
              "Required value: valid values: \"OnFailure\", \"Never\""),
          new Bad(
              "{template: {spec: {containers: []}}}",
              "spec.template.spec.containers",
              "Required value"),
          new Bad(
              "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}",
              "spec.selector",
              "`selector` not auto-generated"),
          new Bad(
              "{template: {metadata: {labels: {job-name: other}}}}",
              "spec.template.metadata.labels[job-name]",
              "must be 'j'"),
          new Bad(
              "{manualSelector: true, selector: {matchLabels: {a: b}}}",
              "spec.template.metadata.labels",
              "does not match template"));

  @ParameterizedTest
  @FieldSource("BAD")
  void refuses(Bad c) {
    ApiFailure failure = refused(Reason.INVALID, () -> world.create(Kinds.JOB, jobWith(c.spec())));

    assertThat(fields(failure)).containsExactly(c.field());
    assertThat(failure.causes().getFirst().message()).contains(c.says());
    assertThat(failure.message()).startsWith("Job.batch \"j\" is invalid: ");
  }

  @Test
  void manualSelectorNeedsASelector() {
    ApiFailure failure =
        refused(Reason.INVALID, () -> world.create(Kinds.JOB, jobWith("{manualSelector: true}")));

    assertThat(fields(failure)).containsExactly("spec.selector", "spec.template.metadata.labels");
  }

  /** A rule about failed pods that is good but for one change. */
  private static Bad rule(String change, String field, String says) {
    Tree good = World.yaml("{action: Ignore, onExitCodes: {operator: In, values: [1]}}");
    Tree rule =
        change.equals("{}") ? good.without("action") : MergePatch.apply(good, World.yaml(change));
    return new Bad(
        "{podFailurePolicy: {rules: [" + rule + "]}}",
        "spec.podFailurePolicy.rules[0]" + field,
        says);
  }

  private static Bad success(String rules, String says) {
    return success(rules, "", says);
  }

  private static Bad success(String rules, String field, String says) {
    return new Bad(
        "{completionMode: Indexed, completions: 5, successPolicy: {rules: [" + rules + "]}}",
        "spec.successPolicy.rules" + field,
        says);
  }

  @Test
  void theNameOfAnIndexedJobMustFitTheHostnamesOfItsPods() {
    Tree job =
        MergePatch.apply(
            Samples.job("j".repeat(62)),
            Tree.of("spec", World.yaml("{completionMode: Indexed, completions: 11}")));

    assertThat(fields(refused(Reason.INVALID, () -> world.create(Kinds.JOB, job))))
        .containsExactly("metadata.name");
  }
}
