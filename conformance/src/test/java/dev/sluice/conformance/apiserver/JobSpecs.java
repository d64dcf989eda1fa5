package dev.sluice.conformance.apiserver;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What users write into Jobs, good and bad. */
final class JobSpecs {
  private static final String INDEXED = "completionMode: Indexed, completions: 5";

  private static String failureRule(String rule) {
    return "{podFailurePolicy: {rules: [" + rule + "]}}";
  }

  private static String successRule(String rule) {
    return "{" + INDEXED + ", successPolicy: {rules: [" + rule + "]}}";
  }

  private static String exitCodes(String codes) {
    return failureRule("{action: Count, onExitCodes: {" + codes + "}}");
  }

  private static String numbers(int from, int to, String separator) {
    return IntStream.range(from, to)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(separator));
  }

  static final List<String> ALL =
      List.of(
          "{}",
          "{parallelism: 3}",
          "{completions: 3}",
          "{parallelism: 0, completions: 0}",
          "{suspend: true, activeDeadlineSeconds: 0, ttlSecondsAfterFinished: 0}",
          "{" + INDEXED + "}",
          "{" + INDEXED + ", backoffLimitPerIndex: 2, maxFailedIndexes: 1}",
          "{managedBy: acme.io/foo}",
          "{managedBy: foo}",
          "{managedBy: ''}",
          "{managedBy: 'acme.io/%s'}".formatted("x".repeat(60)),
          "{parallelism: -1}",
          "{completions: -1}",
          "{backoffLimit: -1}",
          "{activeDeadlineSeconds: -1}",
          "{ttlSecondsAfterFinished: -1}",
          "{completionMode: Odd}",
          "{completionMode: Indexed}",
          "{completionMode: Indexed, parallelism: 2}",
          "{completionMode: Indexed, completions: 200000, parallelism: 100001}",
          "{completionMode: Indexed, completions: 200000, parallelism: 20000}",
          "{backoffLimitPerIndex: 1}",
          "{maxFailedIndexes: 1}",
          "{" + INDEXED + ", maxFailedIndexes: 1}",
          "{" + INDEXED + ", backoffLimitPerIndex: -1, maxFailedIndexes: -1}",
          "{" + INDEXED + ", backoffLimitPerIndex: 1, maxFailedIndexes: 6}",
          "{completionMode: Indexed, completions: 200000, backoffLimitPerIndex: 1}",
          "{completionMode: Indexed, completions: 200000, backoffLimitPerIndex: 1,"
              + " maxFailedIndexes: 10001, parallelism: 10001}",
          "{podReplacementPolicy: Failed}",
          "{podReplacementPolicy: Odd}",
          "{podReplacementPolicy: TerminatingOrFailed, podFailurePolicy: {rules: []}}",
          "{podFailurePolicy: {rules: []}}",
          "{podFailurePolicy: {rules: []}, template: {spec: {restartPolicy: OnFailure}}}",
          "{template: {spec: {restartPolicy: OnFailure}}}",
          "{template: {spec: {restartPolicy: Always}}}",
          "{template: {spec: {restartPolicy: null}}}",
          "{template: {spec: {containers: []}}}",
          failureRule("{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}"),
          failureRule("{action: FailJob, onPodConditions: [{type: '!', status: Odd}]}"),
          failureRule("{onPodConditions: [{type: DisruptionTarget}]}"),
          failureRule("{action: Odd, onPodConditions: [{type: DisruptionTarget}]}"),
          failureRule("{action: FailIndex, onPodConditions: [{type: DisruptionTarget}]}"),
          failureRule("{action: Count}"),
          failureRule(
              "{action: Count, onExitCodes: {operator: In, values: [1]}, onPodConditions:"
                  + " [{type: A}]}"),
          failureRule("{action: Count, onPodConditions: [{type: A}]},".repeat(21)),
          exitCodes("operator: In, values: [1, 2]"),
          exitCodes("operator: NotIn, values: [0]"),
          exitCodes("operator: In, values: [0]"),
          exitCodes("operator: In, values: []"),
          exitCodes("operator: In, values: [2, 1]"),
          exitCodes("operator: In, values: [1, 1]"),
          exitCodes("operator: Odd, values: [1]"),
          exitCodes("values: [1]"),
          exitCodes("operator: In, values: [1], containerName: main"),
          exitCodes("operator: In, values: [1], containerName: odd"),
          exitCodes("operator: In, values: [" + numbers(1, 258, ", ") + "]"),
          "{successPolicy: {rules: [{succeededCount: 1}]}}",
          successRule("{succeededCount: 1}"),
          successRule("{succeededCount: 1},".repeat(21)),
          "{completionMode: Indexed, completions: 20000, successPolicy: {rules:"
              + " [{succeededIndexes: '%s'}]}}".formatted(numbers(0, 20_000, ",")),
          successRule("{succeededIndexes: '00,+1'}"),
          successRule("{succeededIndexes: '0,0'}"),
          successRule("{succeededIndexes: '0-9'}"),
          failureRule("{action: Count, onPodConditions: [" + "{type: A}, ".repeat(21) + "]}"),
          successRule("{succeededIndexes: '0,2-4', succeededCount: 2}"),
          successRule(""),
          successRule("{}"),
          successRule("{succeededCount: 6}"),
          successRule("{succeededCount: -1}"),
          successRule("{succeededIndexes: '0-1', succeededCount: 3}"),
          successRule("{succeededIndexes: '5'}"),
          successRule("{succeededIndexes: '1,0'}"),
          successRule("{succeededIndexes: '1-1'}"),
          successRule("{succeededIndexes: '1-2-3'}"),
          successRule("{succeededIndexes: 'x'}"),
          "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}",
          "{manualSelector: true}",
          "{manualSelector: true, selector: {matchLabels: {a: b}}}",
          "{manualSelector: true, selector: {matchLabels: {a: b}}, template: {metadata: {labels:"
              + " {a: b}}}}",
          "{template: {metadata: {labels: {job-name: other}}}}");

  private JobSpecs() {}
}
