package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.JobResult.State;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.ScenarioRun;
import dev.sluice.simulator.scenario.Scenario;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A day of a CronJob in virtual time. */
class CronJobScenarioTest {
  private static final String NODE =
      """
      {apiVersion: v1, kind: Node,
       metadata: {name: n, annotations: {kwok.x-k8s.io/node: fake}},
       status: {allocatable: {cpu: "4", pods: "10"}, capacity: {cpu: "4", pods: "10"}}}
      ---
      """;

  private static String cronJob(String spec) {
    return """
    apiVersion: batch/v1
    kind: CronJob
    metadata: {name: report}
    spec:
      %s
      successfulJobsHistoryLimit: 100
      jobTemplate:
        spec:
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox, command: [sleep, "600"]}]
    ---
    apiVersion: batch/v1
    kind: CronJob
    metadata: {name: report, annotations: {sluice.dev/at: 4h30m, sluice.dev/do: update}}
    spec: {suspend: true}
    """
        .formatted(spec);
  }

  private static List<String> finished(String spec) {
    RunResult result = ScenarioRun.of(Scenario.parse(NODE + cronJob(spec)), 1);
    assertThat(result.refusals()).isEmpty();
    assertThat(result.jobs()).allMatch(job -> job.state() == State.SUCCEEDED);
    return result.jobs().stream()
        .map(job -> job.started().map(CronJobScenarioTest::seconds).orElse("never"))
        .toList();
  }

  private static String seconds(Duration time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Test
  void jobsStartWhenTheyAreDue() {
    assertThat(finished("schedule: \"0 * * * *\"")).containsExactly("PT1H", "PT2H", "PT3H", "PT4H");
  }

  @Test
  void whatGoesOnForeverIsStoppedWhenItsTimeIsOver() {
    String endless = NODE + cronJob("schedule: \"0 * * * *\"").replaceFirst("(?s)---.*", "");

    RunResult result =
        ScenarioRun.of(
            Scenario.parse(endless),
            "",
            1,
            RunOptions.DEFAULT.withHorizon(Duration.ofMinutes(150)));

    assertThat(result.jobs())
        .extracting(JobResult::state)
        .containsExactly(State.SUCCEEDED, State.SUCCEEDED);
    assertThat(result.elapsed()).isLessThanOrEqualTo(Duration.ofMinutes(150));
  }

  @Test
  void aScheduleGoesByItsZone() {
    // New Year in UTC is half past five in Kolkata.
    assertThat(finished("schedule: \"0 6,8 * * *\"\n  timeZone: Asia/Kolkata"))
        .containsExactly("PT30M", "PT2H30M");
  }

  @Test
  void forbiddenConcurrencyRunsJobsInTurn() {
    assertThat(finished("schedule: \"0,5 3 * * *\"\n  concurrencyPolicy: Forbid"))
        .containsExactly("PT3H", "PT3H10M");
  }
}
