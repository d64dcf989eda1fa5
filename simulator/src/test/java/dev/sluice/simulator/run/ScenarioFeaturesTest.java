package dev.sluice.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.simulator.expect.FailedExpectations;
import dev.sluice.simulator.result.JobResult.Attempt;
import dev.sluice.simulator.result.JobResult.State;
import dev.sluice.simulator.result.ResultFiles;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioFeaturesTest {
  private static final String QUEUES =
      """
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: cq}, spec: {
       namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
        resources: [{name: cpu, nominalQuota: 2}]}]}]}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q,
       namespace: default}, spec: {clusterQueue: cq}}
      """;

  /** Two nodes of 2 cpus, and jobs of one pod of 1 cpu that runs for a minute. */
  private static String yaml(String arrivals, String more, String jobSpec, String objects) {
    return """
    apiVersion: sluice.dev/v1alpha1
    kind: Scenario
    metadata: {name: s}
    spec:
      nodePools: [{name: n, count: 2, resources: {cpu: 2}}]
      %s
      jobs:
      - name: j
        arrivals: %s
        duration: {fixed: 1m}
        template:
          metadata: {labels: {kueue.x-k8s.io/queue-name: q}}
          spec: {%s, template: {spec: {restartPolicy: Never, containers: [
            {name: c, image: i, resources: {requests: {cpu: 1}}}]}}}
    %s\
    """
        .formatted(more, arrivals, jobSpec, objects);
  }

  private static String yaml(String arrivals, String more) {
    return yaml(arrivals, more, "parallelism: 1", QUEUES);
  }

  private static RunResult run(String yaml) {
    return ScenarioRun.of(Scenario.parse(yaml), 1);
  }

  private static void assertAllSucceeded(RunResult result, int jobs) {
    assertThat(result.jobs()).hasSize(jobs).allMatch(job -> job.state() == State.SUCCEEDED);
  }

  @Test
  void resultHasTheTimesTheUsageAndTheDepthOfTheQueue() {
    RunResult result = run(yaml("{fixed: {count: 3}}", ""));

    assertAllSucceeded(result, 3);
    assertThat(result.jobs().getLast().admitted().orElseThrow().toSeconds()).isEqualTo(60);
    assertThat(result.jobs().getLast().dispatched().orElseThrow().toSeconds()).isEqualTo(60);
    assertThat(result.jobs().getLast().attempts()).extracting(Attempt::pool).containsExactly("n");
    assertThat(result.jobs().getLast().clusterQueue()).isEqualTo("cq");
    assertThat(result.depths().getFirst().workloads().at(Duration.ofSeconds(30))).isEqualTo(1);
    assertThat(result.reservations().getFirst().amounts().max()).isEqualTo(2000);
    assertThat(result.makespan().toSeconds()).isEqualTo(120);
    assertThat(ResultFiles.json(result, 2).names())
        .contains(
            "jobs",
            "makespan",
            "wait",
            "dispatch",
            "schedulingLatency",
            "completion",
            "utilisation",
            "wasted",
            "preemptions",
            "evictions",
            "writes",
            "decisionLogSha256",
            "realSeconds",
            "speedup");
    assertThat(ResultFiles.csv(result)).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiOutage: {}, at: [30s], for: 1m}",
        "{controllerRestart: {}, at: [10s, 30s, 59s]}",
        "{slowWatch: {delay: 2s}, at: [0s], for: 10m}",
        "{nodeDown: {pool: n, count: 2}, at: [30s], for: 2m}",
        "{controllerRestart: {}, perDay: 5000}"
      })
  void jobsSurviveAFaultAndTheRunRepeatsItself(String fault) {
    String yaml = yaml("{fixed: {count: 5, every: 10s}}", "faults: [" + fault + "]");

    RunResult result = run(yaml);

    assertAllSucceeded(result, 5);
    assertThat(run(yaml)).isEqualTo(result);
  }

  @Test
  void lostNodeCostsItsWork() {
    String down = "faults: [{nodeDown: {pool: n, count: 2}, at: [30s], for: 2m}]";

    RunResult result = run(yaml("{fixed: {count: 1}}", down));

    assertThat(result.waste().byResource().get("cpu")).isGreaterThanOrEqualTo(30_000);
    assertThat(result.jobs().getFirst().attempts()).hasSizeGreaterThan(1);
    assertThat(result.jobs().getFirst().ended().orElseThrow()).isGreaterThan(Duration.ofMinutes(3));
  }

  @Test
  void limitOfWritesDelaysOnlyItsClient() {
    String limit = "clients: [{controllers: [submitter], qps: 0.1, burst: 1}]";

    RunResult result = run(yaml("{fixed: {count: 3}}", limit));

    assertThat(result.jobs())
        .extracting(job -> job.submitted().toSeconds())
        .containsExactly(0L, 10L, 20L);
  }

  @Test
  void podsThatRunTogetherBeginWhenAllAreReady() {
    String together =
        yaml(
                "{fixed: {count: 1}}",
                "podStartDelay: {uniform: {min: 1s, max: 30s}}",
                "parallelism: 4, completions: 4",
                QUEUES.replace("nominalQuota: 2", "nominalQuota: 4"))
            .replace(
                "duration: {fixed: 1m}",
                "duration: {fixed: 1m}\n    runsOnceAllPodsAreReady: true");

    RunResult result = run(together);

    assertAllSucceeded(result, 1);
    Duration started = result.jobs().getFirst().started().orElseThrow();
    Duration ended = result.jobs().getFirst().ended().orElseThrow();
    assertThat(ended.minus(started)).isGreaterThan(Duration.ofSeconds(61));
    assertThat(ended).isBetween(Duration.ofSeconds(62), Duration.ofSeconds(91));
  }

  @Test
  void variantsAndSeedsArePlayedEach() {
    String variants =
        """
        seeds: [1, 2]
          variants:
          - {name: today}
          - name: more
            patches:
            - kind: ClusterQueue
              name: cq
              patch: {spec: {resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
                resources: [{name: cpu, nominalQuota: 4}]}]}]}}
          expectations: [{makespan: {below: 90s}}]\
        """;
    Scenario scenario = Scenario.parse(yaml("{fixed: {count: 4}}", variants));

    List<VariantRuns> all = VariantRuns.all(scenario, Function.identity(), 7, RunOptions.DEFAULT);

    assertThat(all).extracting(VariantRuns::name).containsExactly("today", "more");
    assertThat(all.getFirst().runs()).extracting(run -> run.name().seed()).containsExactly(1L, 2L);
    assertThat(FailedExpectations.of(scenario.spec(), all.getFirst().runs()))
        .singleElement()
        .asString()
        .startsWith("variant today: makespan: {\"below\":\"90s\"} does not hold: it is 120")
        .endsWith("over 2 seeds, not below 90s");
    assertThat(FailedExpectations.of(scenario.spec(), all.getLast().runs())).isEmpty();
  }

  @Test
  void traceSaysWhenWhatArrives() {
    String trace = "at,duration,pods,owner\n0,10s,1,ann\n30,20s,2,bob\n";

    RunResult result =
        ScenarioRun.of(
            Scenario.parse(
                yaml("{trace: {file: t.csv}}", "").replace("duration: {fixed: 1m}", ""),
                _ -> trace),
            1);

    assertAllSucceeded(result, 2);
    assertThat(result.jobs()).extracting(job -> job.owner()).containsExactly("ann", "bob");
    assertThat(result.jobs()).extracting(job -> job.pods()).containsExactly(1, 2);
    assertThat(result.jobs())
        .extracting(job -> job.ended().orElseThrow().toSeconds())
        .containsExactly(10L, 50L);
  }

  @Test
  void jobThatCannotEndIsAFailureWithItsReason() {
    RunResult result = run(yaml("{fixed: {count: 1}}", "horizon: 5m", "parallelism: 9", QUEUES));

    assertThat(
            FailedExpectations.of(
                Scenario.parse(yaml("{fixed: {count: 1}}", "")).spec(), List.of(result)))
        .singleElement()
        .asString()
        .startsWith("1 of 1 jobs did not end: default/j-0 (")
        .contains("insufficient quota for cpu");
    Scenario allowed = Scenario.parse(yaml("{fixed: {count: 1}}", "unfinishedJobs: Allowed"));
    assertThat(FailedExpectations.of(allowed.spec(), List.of(result))).isEmpty();
  }

  @Test
  void invalidTemplateRunsNothing() {
    String text = yaml("{fixed: {count: 1}}", "", "parallelism: -1", "");

    assertThatThrownBy(() -> run(text))
        .isInstanceOf(RefusedStep.class)
        .hasMessageContaining("spec.jobs: j: ")
        .hasMessageContaining("parallelism");
  }

  @Test
  void poolThatGoesTakesItsPods() {
    String text =
        yaml("{fixed: {count: 1}}", "horizon: 10m").replace("cpu: 2}}]", "cpu: 2}, until: 30s}]");

    RunResult result = run(text);

    assertThat(result.jobs().getFirst().state()).isEqualTo(State.RUNNING);
    assertThat(result.jobs().getFirst().reason()).isNotEmpty();
    assertThat(result.capacities())
        .allMatch(series -> series.amounts().at(Duration.ofSeconds(31)) == 0);
  }
}
