package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command whose run the launcher records. */
class WarmUpIT {
  @TempDir private Path directory;

  @Test
  void aControlPlaneAndASimulationRunToTheirEnds() {
    var out = new StringWriter();

    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .execute(
                "warm-up",
                "--data-dir=" + directory.resolve("data"),
                Path.of("..", "examples", "first-thread.yaml").toString());

    assertThat(status).isZero();
    assertThat(out.toString()).contains("3 jobs: ");
    assertThat(directory.resolve("data").resolve("kubeconfig")).exists();
    assertThat(Main.commandLine().getUsageMessage()).doesNotContain("warm-up");
  }
}
