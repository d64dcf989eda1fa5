package dev.sluice.machine;

import static dev.sluice.machine.MachineWorld.FIRST;
import static dev.sluice.machine.SampleLaunches.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.usage.MeasuredUsage;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What real processes use. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ProcessMeterTest {
  private static final BigDecimal MEBIBYTE = BigDecimal.valueOf(1 << 20);

  @TempDir private Path folder;
  private MachineWorld world;

  @BeforeEach
  void open() throws IOException {
    world = new MachineWorld(folder.resolve("node"));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private Optional<MeasuredUsage.Use> use() {
    return world.machine.usage().container("uid-1", "main");
  }

  @Test
  void busyProcessUsesTimeAndMemoryAlsoInItsChildren() {
    assertThat(use()).isEmpty();

    world.machine.start(FIRST, shell("sh -c 'while :; do :; done' & wait"));

    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(300))
        .until(() -> use().orElseThrow().cores().compareTo(new BigDecimal("0.05")) > 0);
    assertThat(use().orElseThrow().bytes()).isGreaterThan(MEBIBYTE);

    world.machine.kill(FIRST);
    world.end(FIRST);

    assertThat(use()).isEmpty();
  }

  @Test
  void sleepingProcessUsesNoTime() {
    world.machine.start(FIRST, shell("exec sleep 1000"));

    assertThat(use().orElseThrow().cores()).isLessThan(new BigDecimal("0.5"));
    assertThat(world.machine.usage().nodes()).containsOnlyKeys("local");
    assertThat(world.machine.usage().nodes().values())
        .allMatch(node -> node.bytes().compareTo(MEBIBYTE) > 0);
  }
}
