package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
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

/**
 * The promises of queueing hold whatever people do, whatever the connection does, and whenever the
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
      check(seed + round);
    }
  }

  private static void check(long seed) throws IOException {
    Configuration configuration = configuration(seed);
    Scenario scenario = RandomScenario.draw(seed);
    Optional<String> failure = Trial.failure(scenario, seed, configuration);
    if (failure.isPresent()) {
      var shrinking =
          new Shrinking(
              smaller -> stillFails(smaller, seed, configuration, kind(failure.get())),
              SHRINKING_TRIES);
      Scenario small = shrinking.shrink(scenario);
      Path file = Path.of("target", "failed-scenarios", "seed-" + seed + ".yaml");
      Files.createDirectories(file.getParent());
      Files.writeString(file, small.yaml());
      throw new AssertionError(
          "seed %d: %s%nWith the %d of %d steps in %s: %s%nAgain: -Dseed=%d -Drounds=1"
              .formatted(
                  seed,
                  failure.get(),
                  small.steps().size(),
                  scenario.steps().size(),
                  file,
                  Trial.failure(small, seed, configuration).orElse("nothing"),
                  seed));
    }
  }

  /** What is left of a failure's text without the names and times in it. */
  private static String kind(String failure) {
    return failure.replaceAll("\\S*[0-9/]\\S*", "");
  }

  private static boolean stillFails(
      Scenario smaller, long seed, Configuration configuration, String kind) {
    try {
      return Trial.failure(smaller, seed, configuration)
          .filter(one -> kind(one).equals(kind))
          .isPresent();
    } catch (ApiException unplayable) {
      return false; // it lost a part that others need
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

  private static Step step(int number) {
    return new Step(
        Duration.ofSeconds(number),
        Step.Deed.CREATE,
        ApiObject.of(Kinds.CONFIG_MAP, "default", "m" + number));
  }
}
