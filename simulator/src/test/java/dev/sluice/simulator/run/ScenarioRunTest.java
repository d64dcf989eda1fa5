package dev.sluice.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.MalformedText;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.JobResult.State;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScenarioRunTest {

  @Test
  void theFirstThreadHoldsForManySeedsAndRepeatsItselfForEach() throws IOException {
    Scenario scenario = Scenario.parse(Files.readString(Path.of("../examples/first-thread.yaml")));
    for (long seed = 0; seed < 20; seed++) {
      RunResult result = ScenarioRun.of(scenario, seed);

      assertThat(result.jobs()).as("seed %d", seed).allMatch(job -> job.state() == State.SUCCEEDED);
      assertThat(result.jobs().stream().map(JobResult::started).sorted(ScenarioRunTest::earlier))
          .containsExactly(
              Optional.of(Duration.ZERO),
              Optional.of(Duration.ZERO),
              Optional.of(Duration.ofSeconds(5)));
      assertThat(result.elapsed()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
      assertThat(ScenarioRun.of(scenario, seed).decisions().toString())
          .isEqualTo(result.decisions().toString());
    }
  }

  @Test
  void aJobThatNeverFitsIsLeftSuspendedWithTheReasonInTheLog() throws IOException {
    String yaml =
        Files.readString(Path.of("../examples/first-thread.yaml"))
            .replace("nominalQuota: 4", "nominalQuota: 1");

    RunResult result = ScenarioRun.of(Scenario.parse(yaml), 1);

    assertThat(result.jobs()).allMatch(job -> job.state() == State.SUSPENDED);
    assertThat(result.decisions().toString()).contains("maximum capacity (1)");
  }

  @Test
  void whatTheApiRefusesIsRefused() {
    assertThatThrownBy(() -> run("{apiVersion: batch/v1, kind: Job, metadata: {name: j}}"))
        .isInstanceOf(RefusedStep.class)
        .hasMessageContaining("spec.template");
    assertThatThrownBy(() -> run("{apiVersion: v1, kind: Pot, metadata: {name: p}}"))
        .isInstanceOf(RefusedStep.class)
        .hasMessageContaining("v1 Pot");
  }

  @Test
  void malformedScenarioIsRefused() {
    for (String text : List.of("", "a: [", "- a", "kind: Job")) {
      assertThatThrownBy(() -> Scenario.parse(text)).isInstanceOf(MalformedText.class);
    }
  }

  private static void run(String yaml) {
    ScenarioRun.of(Scenario.parse(yaml), 1);
  }

  private static int earlier(Optional<Duration> one, Optional<Duration> other) {
    return one.orElse(Duration.ZERO).compareTo(other.orElse(Duration.ZERO));
  }

  @Test
  void aScenarioSaysWhatHappensLater() {
    String yaml =
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: early}, data: {a: "1"}}
        ---
        {apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: {sluice.dev/at: 1m30s}},
         spec: {suspend: true, template: {spec: {restartPolicy: Never,
          containers: [{name: c, image: i}]}}}}
        ---
        {apiVersion: batch/v1, kind: Job, metadata: {name: j, labels: {seen: "yes"},
          annotations: {sluice.dev/at: 2m, sluice.dev/do: update}}, spec: {parallelism: 0}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: early,
          annotations: {sluice.dev/at: 3m, sluice.dev/do: delete}}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: never,
          annotations: {sluice.dev/at: 4m, sluice.dev/do: delete}}}
        """;

    RunResult result = ScenarioRun.of(Scenario.parse(yaml), 1);

    assertThat(result.jobs())
        .extracting(JobResult::submitted)
        .containsExactly(Duration.ofSeconds(90));
    assertThat(result.elapsed()).isEqualTo(Duration.ofMinutes(4));
    assertThat(result.refusals())
        .containsExactly("delete ConfigMap never at 4m0s: configmaps \"never\" not found");
  }

  @Test
  void aStepThatCannotBeUnderstoodIsRefused() {
    String yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, annotations: {%s}}}";

    assertThatThrownBy(() -> Scenario.parse(yaml.formatted("sluice.dev/at: soon")))
        .hasMessageContaining("\"soon\", which is no time; write it like 90s or 1m30s");
    assertThatThrownBy(() -> Scenario.parse(yaml.formatted("sluice.dev/do: destroy")))
        .hasMessageContaining("\"destroy\"; it must be create, update, delete or restore");
  }
}
