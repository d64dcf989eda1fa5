package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are caught without a cgroup to hold them. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class DescendantProcessesTest {
  @TempDir private Path folder;

  @AfterEach
  void killAll() {
    DescendantProcesses.kill(folder);
  }

  private void start(String text) throws IOException {
    Path script = Files.writeString(folder.resolve("script"), text);
    var builder = new ProcessBuilder("setsid", "sh", script.toString());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put(DescendantProcesses.VARIABLE, folder + "/");
    builder.start();
    await().until(() -> Files.exists(folder.resolve("begun")));
  }

  @Test
  void processThatForksBeforeItDiesIsFound() throws IOException {
    start("touch %s/begun; trap '' TERM HUP; setsid sh \"$0\" & sleep 0.01".formatted(folder));

    DescendantProcesses.kill(folder);

    await()
        .during(Duration.ofMillis(200))
        .atMost(Duration.ofSeconds(5))
        .until(() -> DescendantProcesses.find(folder).isEmpty());
  }

  @Test
  void manyWhoLeftAllTheirParentsAreCaught() throws IOException {
    start(
        "i=0; while [ $i -lt 100 ]; do setsid sh -c 'setsid sleep 1000 & exec sleep 1000' &"
            + " i=$((i+1)); done; touch %s/begun; exec sleep 1000".formatted(folder));
    assertThat(DescendantProcesses.find(folder)).hasSizeGreaterThan(50);

    DescendantProcesses.kill(folder);

    await()
        .during(Duration.ofMillis(200))
        .atMost(Duration.ofSeconds(5))
        .until(() -> DescendantProcesses.find(folder).isEmpty());
  }
}
