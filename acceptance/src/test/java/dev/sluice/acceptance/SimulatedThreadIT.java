package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first thread in virtual time. */
@Timeout(120)
class SimulatedThreadIT {
  private static final String SCENARIO = "examples/first-thread.yaml";

  @TempDir private Path directory;

  @Test
  void twoRunAtOnceAndTheThirdWhenTheyHaveFinished() {
    SluiceProcess.Ended ended = SluiceProcess.run("simulate", SCENARIO);

    assertThat(ended.exitCode()).as(ended.errors()).isZero();
    String table = ended.out().replaceAll(" +", " ");
    assertThat(table.lines().filter(row -> row.endsWith("team-a Complete 0s 0s 5s"))).hasSize(2);
    assertThat(table.lines().filter(row -> row.endsWith("team-a Complete 0s 5s 10s"))).hasSize(1);
  }

  @Test
  void theSameSeedGivesTheSameDecisionsToTheByte() throws IOException {
    assertThat(decisions("7", "a"))
        .isEqualTo(decisions("7", "b"))
        .contains("\"Admit\"", "\"Wait\"");
  }

  @Test
  void everySeedAdmitsAllThree() throws IOException {
    for (String seed : new String[] {"1", "2", "3"}) {
      assertThat(decisions(seed, seed).lines().filter(line -> line.contains("\"Admit\"")))
          .as("seed %s", seed)
          .hasSize(3);
    }
  }

  private String decisions(String seed, String name) throws IOException {
    Path out = directory.resolve(name);
    SluiceProcess.Ended ended =
        SluiceProcess.run("simulate", SCENARIO, "--seed", seed, "--out", out.toString());
    assertThat(ended.exitCode()).as(ended.errors()).isZero();
    return Files.readString(out.resolve("decisions.jsonl"));
  }
}
