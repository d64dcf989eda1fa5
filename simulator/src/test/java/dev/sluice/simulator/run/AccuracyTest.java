package dev.sluice.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.simulator.result.Distribution;
import dev.sluice.simulator.result.Estimate;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Scenario;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The waits of simulated jobs against queueing theory, where it has a closed form. */
class AccuracyTest {
  private static final int SERVERS = 4;

  private static Scenario scenario(String arrivals, String duration) {
    return Scenario.parse(
        """
        apiVersion: sluice.dev/v1alpha1
        kind: Scenario
        metadata: {name: accuracy}
        spec:
          nodePools: [{name: n, count: 1, resources: {cpu: %d}}]
          jobs:
          - name: j
            arrivals: %s
            duration: %s
            template: {spec: {template: {spec: {restartPolicy: Never, containers: [
              {name: c, image: i, resources: {requests: {cpu: 1}}}]}}}}
        """
            .formatted(SERVERS, arrivals, duration));
  }

  private static double meanWait(RunResult run, int first) {
    return run.jobs().stream()
        .skip(first)
        .map(JobResult::waited)
        .flatMap(Optional::stream)
        .mapToDouble(Distribution::seconds)
        .average()
        .orElseThrow();
  }

  private static Estimate waits(Scenario scenario) {
    return Estimate.of(
        LongStream.rangeClosed(1, 4)
            .mapToObj(seed -> meanWait(ScenarioRun.of(scenario, seed), 50))
            .toList());
  }

  @Test
  void fixedArrivalsAndDurationsWaitAsTheFormulaSays() {
    Scenario scenario = scenario("{fixed: {count: 50, every: 17s}}", "{fixed: 72s}");

    RunResult run = ScenarioRun.of(scenario, 1);

    // Start k is that of job k if none overtakes another: at k * a + floor(k / c) * (s - c * a).
    // The scheduler lets pods overtake that failed before, which changes neither starts nor mean.
    assertThat(
            run.jobs().stream().map(job -> job.bound().orElseThrow().toSeconds()).sorted().toList())
        .isEqualTo(LongStream.range(0, 50).mapToObj(k -> 17 * k + k / SERVERS * 4).toList());
    assertThat(meanWait(run, 0)).isCloseTo(23.04, within(0.01));
  }

  @Test
  void randomArrivalsAndDurationsWaitAsErlangSays() {
    double load = 0.75;
    // One job every 20 s and 60 s each: 3 of 4 servers are busy.
    Estimate waits =
        waits(scenario("{poisson: {perHour: 180, count: 1500}}", "{exponential: {mean: 60s}}"));

    double theory = erlangC(3) * 60 / (SERVERS * (1 - load));
    assertThat(theory).isCloseTo(30.57, within(0.01));
    assertThat(waits.mean()).isCloseTo(theory, within(waits.halfWidth() + 0.05 * theory));
  }

  @Test
  void durationsThatVaryLessWaitAccordingly() {
    // Uniform from 30 s to 90 s: the squared coefficient of variation is 1 / 12.
    Estimate waits =
        waits(
            scenario("{poisson: {perHour: 180, count: 1500}}", "{uniform: {min: 30s, max: 90s}}"));

    // Lee and Longton's approximation for M/G/k, which is good to some percent at this load.
    double theory = erlangC(3) * 60 / (SERVERS * 0.25) * (1 + 1 / 12.0) / 2;
    assertThat(waits.mean()).isCloseTo(theory, within(waits.halfWidth() + 0.08 * theory));
  }

  /** The probability that a job waits at an offered load of {@code busy} servers. */
  private static double erlangC(double busy) {
    double term = 1;
    double sum = 0;
    for (int k = 0; k < SERVERS; k++) {
      sum += term;
      term *= busy / (k + 1);
    }
    double all = term * SERVERS / (SERVERS - busy);
    return all / (sum + all);
  }

  @Test
  void meanOfTheSameValueHasNoWidth() {
    assertThat(Estimate.of(List.of(3.0, 3.0, 3.0))).isEqualTo(new Estimate(3, 0, 3));
    assertThat(Estimate.of(List.of(1.0, 3.0)).halfWidth()).isCloseTo(12.706, within(0.001));
  }
}
