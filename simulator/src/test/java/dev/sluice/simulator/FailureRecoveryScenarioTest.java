package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.ScenarioRun;
import dev.sluice.simulator.scenario.Scenario;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A node is lost with the pod of a Job that replaces pods only when they have failed. */
class FailureRecoveryScenarioTest {
  /** No kubelet runs pods on the first node; the other one comes when it is lost. */
  private static final String SCENARIO =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: lost}
      status: {allocatable: {cpu: "4", pods: "10"}, capacity: {cpu: "4", pods: "10"}}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: j}
      spec:
        podReplacementPolicy: Failed
        template:
          metadata:
            annotations: {kueue.x-k8s.io/safe-to-forcefully-delete: "true"}
          spec:
            restartPolicy: Never
            containers: [{name: main, image: busybox, command: [sleep, "30"]}]
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: lost, annotations: {sluice.dev/at: 1m, sluice.dev/do: update}}
      spec:
        taints:
        - {key: node.kubernetes.io/unreachable, effect: NoSchedule}
        - {key: node.kubernetes.io/unreachable, effect: NoExecute}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: alive, annotations: {kwok.x-k8s.io/node: fake, sluice.dev/at: 2m}}
      status: {allocatable: {cpu: "4", pods: "10"}, capacity: {cpu: "4", pods: "10"}}
      """;

  private static JobResult job(boolean gate) {
    var gates = new TreeMap<String, Boolean>();
    gates.put("FailureRecoveryPolicy", gate);
    RunResult result =
        ScenarioRun.of(
            Scenario.parse(SCENARIO),
            "",
            1,
            RunOptions.DEFAULT
                .with(ConfigurationFile.none(gates, "kueue-system").configuration())
                .withHorizon(Duration.ofDays(1)));
    assertThat(result.refusals()).isEmpty();
    return result.jobs().getFirst();
  }

  @Test
  void theJobGoesOnElsewhere() {
    // Tolerated for five minutes, half a minute of grace, a minute of patience, then it runs.
    Duration ended = Duration.ofMinutes(1 + 5).plusSeconds(30 + 60);

    assertThat(job(true).ended().orElseThrow())
        .isBetween(ended.plusSeconds(30), ended.plusSeconds(60));
  }

  @Test
  void theJobWaitsForeverUnlessTheGateIsOpen() {
    assertThat(job(false).ended()).isEmpty();
  }
}
