package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The invariants of queueing hold whatever users do, whatever the connection does, and whenever the
 * controllers die. A failure is made small and kept as a scenario file.
 */
@Timeout(300)
class RandomScenarioTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 15);
  private static final int SHRINKING_TRIES = 150;

  private final long seed = Long.getLong("seed", 1);

  @Test
  void promisesHoldWhateverHappens() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      check(seed + round, RandomScenario.draw(seed + round), configuration(seed + round));
    }
  }

  @Test
  void promisesHoldWhateverHappensToVariants() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      check(
          seed + round,
          RandomScenario.withVariants(seed + round),
          VariantScenariosTest.configuration());
    }
  }

  private static void check(long seed, Scenario scenario, Configuration configuration)
      throws IOException {
    var hunt =
        new Hunt(
            played -> ScenarioTrial.failure(played, seed, configuration),
            SHRINKING_TRIES,
            Path.of("target", "failed-scenarios"));
    Optional<Hunt.Trophy> found = hunt.search("seed-" + seed, scenario);
    if (found.isPresent()) {
      Scenario small = found.get().small();
      throw new AssertionError(
          "seed %d: %s%nWith the %d of %d steps in %s: %s%nAgain: -Dseed=%d -Drounds=1"
              .formatted(
                  seed,
                  found.get().failure(),
                  small.steps().size(),
                  scenario.steps().size(),
                  found.get().file(),
                  ScenarioTrial.failure(small, seed, configuration).orElse("nothing"),
                  seed));
    }
  }

  static Configuration configuration(long seed) {
    if (seed % 2 == 0) {
      return Configuration.DEFAULT;
    }
    String fair =
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}
        """;
    return ConfigurationFile.read(fair, new TreeMap<>()).configuration();
  }

  /** As if it were promised that no Job with a priority of its own is ever admitted. */
  @Test
  void aBrokenPromiseIsKeptAsASmallFileThatBreaksItAgain(@TempDir Path folder) throws IOException {
    long seed = 2;
    Scenario scenario = RandomScenario.draw(seed);
    var hunt =
        new Hunt(
            played ->
                ScenarioTrial.failure(
                    played, seed, Configuration.DEFAULT, RandomScenarioTest::admittedWithPriority),
            SHRINKING_TRIES,
            folder);

    Hunt.Trophy found = hunt.search("found", scenario).orElseThrow();

    Scenario kept = Scenario.parse(Files.readString(found.file()));
    assertThat(found.failure()).contains("is admitted with a priority");
    assertThat(scenario.steps()).hasSizeGreaterThan(25);
    assertThat(kept.steps()).hasSizeLessThan(10);
    assertThat(hunt.play().apply(kept).orElseThrow()).contains("is admitted with a priority");
  }

  private static List<String> admittedWithPriority(Cluster cluster) {
    return cluster.list(Kinds.WORKLOAD).stream()
        .map(Workload::new)
        .filter(workload -> workload.admitted() && workload.priority() != 0)
        .map(workload -> "Workload " + workload.object().path() + " is admitted with a priority")
        .toList();
  }

  @Test
  void aFailureIsReducedToWhatItNeeds() {
    Scenario scenario =
        new Scenario(IntStream.range(0, 40).mapToObj(RandomScenarioTest::step).toList());

    Scenario small =
        new Shrinking(one -> one.steps().containsAll(List.of(step(7), step(31))), 200)
            .shrink(scenario);

    assertThat(small.steps()).containsExactly(step(7), step(31));
  }

  @Test
  void shrinkingStopsWhenItsTriesAreUsedUp() {
    var tries = new AtomicInteger();
    Scenario scenario =
        new Scenario(IntStream.range(0, 40).mapToObj(RandomScenarioTest::step).toList());

    new Shrinking(_ -> tries.incrementAndGet() < 0, 5).shrink(scenario);

    assertThat(tries).hasValue(5);
  }

  @Test
  void aScenarioReadsAsItWasWritten() {
    Scenario scenario = Scenario.parse(RandomScenario.draw(5).yaml());

    assertThat(Scenario.parse(scenario.yaml())).isEqualTo(scenario);
    assertThat(scenario.steps()).hasSameSizeAs(RandomScenario.draw(5).steps());
  }

  private static ScenarioStep step(int number) {
    return new ScenarioStep(
        Duration.ofSeconds(number),
        ScenarioStep.Deed.CREATE,
        ApiObject.of(Kinds.CONFIG_MAP, "default", "m" + number));
  }
}
