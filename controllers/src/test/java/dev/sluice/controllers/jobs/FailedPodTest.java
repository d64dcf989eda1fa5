package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which rule a failed pod matches, and what is told of it. */
class FailedPodTest {

  record Case(String name, String rules, String status, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String ended(String container, int exitCode) {
    return "{name: %s, state: {terminated: {exitCode: %d}}}".formatted(container, exitCode);
  }

  private static String exits(String action, String codes) {
    return "{action: %s, onExitCodes: {%s}}".formatted(action, codes);
  }

  private static String told(String action, String conditions) {
    return "{action: %s, onPodConditions: [%s]}".formatted(action, conditions);
  }

  private static final String DISRUPTED = "{type: DisruptionTarget, status: 'True'}";

  static final List<Case> CASES =
      List.of(
          new Case("no rule", "", "containerStatuses: [" + ended("main", 1) + "]", "COUNT "),
          new Case(
              "the first rule that matches",
              exits("Ignore", "operator: In, values: [2]")
                  + ","
                  + exits("FailJob", "operator: In, values: [1, 3]")
                  + ","
                  + exits("Count", "operator: In, values: [1]"),
              "containerStatuses: [" + ended("main", 1) + "]",
              "FAIL_JOB Container main for pod default/p failed with exit code 1 matching FailJob"
                  + " rule at index 1"),
          new Case(
              "the work's containers before those that prepare it",
              exits("FailJob", "operator: NotIn, values: [9]"),
              "initContainerStatuses: ["
                  + ended("init", 3)
                  + "], containerStatuses: ["
                  + ended("main", 0)
                  + ","
                  + ended("side", 4)
                  + "]",
              "FAIL_JOB Container side for pod default/p failed with exit code 4 matching FailJob"
                  + " rule at index 0"),
          new Case(
              "a container that prepares the work",
              exits("FailJob", "operator: In, values: [3]"),
              "initContainerStatuses: [" + ended("init", 3) + "]",
              "FAIL_JOB Container init for pod default/p failed with exit code 3 matching FailJob"
                  + " rule at index 0"),
          new Case(
              "another container than the one that is meant",
              exits("Ignore", "containerName: main, operator: In, values: [3]"),
              "containerStatuses: [" + ended("side", 3) + "]",
              "COUNT "),
          new Case(
              "how it ended before does not matter",
              exits("Ignore", "operator: In, values: [3]"),
              "containerStatuses: [{name: main, state: {running: {}}, lastState: {terminated:"
                  + " {exitCode: 3}}}]",
              "COUNT "),
          new Case(
              "exit code zero is no failure",
              exits("Ignore", "operator: NotIn, values: [3]"),
              "containerStatuses: [" + ended("main", 0) + "]",
              "COUNT "),
          new Case(
              "a condition",
              told("Ignore", DISRUPTED),
              "conditions: [" + DISRUPTED + "]",
              "IGNORE Pod default/p has condition DisruptionTarget matching Ignore rule at"
                  + " index 0"),
          new Case(
              "a condition that does not hold",
              told("Ignore", DISRUPTED),
              "conditions: [{type: DisruptionTarget, status: 'False'}]",
              "COUNT "),
          new Case(
              "the pod's order of conditions decides which is named",
              told("FailIndex", "{type: A, status: 'False'}, {type: B, status: 'True'}"),
              "conditions: [{type: B, status: 'True'}, {type: A, status: 'False'}]",
              "FAIL_INDEX Pod default/p has condition B matching FailIndex rule at index 0"));

  @ParameterizedTest
  @FieldSource("CASES")
  void isMatched(Case c) {
    var job =
        new Job(
            Worlds.yaml(
                "{metadata: {name: j, namespace: default}, spec: {podFailurePolicy: {rules: [%s]}}}"
                    .formatted(c.rules())));
    var pod =
        new Pod(
            Worlds.yaml(
                "{metadata: {name: p, namespace: default}, status: {phase: Failed, %s}}"
                    .formatted(c.status())));

    FailedPod failed = FailedPod.of(job, pod);

    assertThat(failed.action() + " " + failed.why()).isEqualTo(c.want());
  }
}
