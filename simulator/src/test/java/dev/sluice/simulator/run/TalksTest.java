package dev.sluice.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.expect.FailedExpectations;
import dev.sluice.simulator.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The experiments of the talks, with the tolerances of their files. */
class TalksTest {
  private static final Path FOLDER = Path.of("../scenarios/talks");

  /** These take too long here and have a smaller twin; {@code sluice test} plays them. */
  private static final List<String> TOO_LARGE =
      List.of("e1-plain.yaml", "e1-queue.yaml", "e14-25x200.yaml");

  static Stream<String> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  static Stream<String> small() throws IOException {
    return all().filter(file -> !TOO_LARGE.contains(file));
  }

  @ParameterizedTest
  @MethodSource("all")
  void experimentReads(String file) throws IOException {
    Scenario scenario = Scenario.parse(Files.readString(FOLDER.resolve(file)));

    assertThat(file).isEqualTo(scenario.spec().name() + ".yaml");
    assertThat(scenario.spec().expectations()).isNotEmpty();
    assertThat(Scenario.parse(scenario.yaml()).spec()).isEqualTo(scenario.spec());
  }

  @ParameterizedTest
  @MethodSource("small")
  void experimentIsAsTheorySays(String file) throws IOException {
    Scenario scenario = Scenario.parse(Files.readString(FOLDER.resolve(file)));

    for (VariantRuns variant :
        VariantRuns.all(scenario, Function.identity(), 1, RunOptions.DEFAULT)) {
      assertThat(FailedExpectations.of(variant.scenario().spec(), variant.runs())).isEmpty();
    }
  }
}
