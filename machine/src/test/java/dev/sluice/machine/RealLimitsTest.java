package dev.sluice.machine;

import static dev.sluice.machine.MachineWorld.FIRST;
import static dev.sluice.machine.SampleLaunches.shell;
import static dev.sluice.machine.SampleLaunches.withLimits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Limits of real processes, where the system lets us set them; elsewhere there is no test. */
@Timeout(60)
@EnabledIf("areThere")
class RealLimitsTest {
  private static final long MEBIBYTE = 1 << 20;

  @TempDir private Path folder;
  private MachineWorld world;

  static boolean areThere() {
    return Cgroups.detect().haveLimits();
  }

  @BeforeEach
  void open() throws IOException {
    world = new MachineWorld(folder.resolve("node"));
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void containerAboveItsMemoryLimitIsKilledAsAWhole() {
    var limits = new Launch.Limits(OptionalLong.empty(), OptionalLong.of(32 * MEBIBYTE));
    // A last line that never ends must be kept until it does.
    world.machine.start(FIRST, withLimits(shell("(tail /dev/zero; sleep 1000) & wait"), limits));

    State.Ended end = world.end(FIRST);

    assertThat(end.reason()).isEqualTo("OOMKilled");
    assertThat(end.exitCode()).isEqualTo(137);
  }

  @Test
  void containerBelowItsMemoryLimitKeepsRunning() {
    var limits = new Launch.Limits(OptionalLong.empty(), OptionalLong.of(256 * MEBIBYTE));
    world.machine.start(
        FIRST, withLimits(shell("head -c 1000000 /dev/zero | tail | wc -c"), limits));

    assertThat(world.end(FIRST).reason()).isEqualTo("Completed");
  }

  @Test
  void containerAboveItsCpuLimitIsThrottled() throws Exception {
    var limits = new Launch.Limits(OptionalLong.of(200), OptionalLong.empty());
    world.machine.start(FIRST, withLimits(shell("while :; do :; done"), limits));

    Thread.sleep(Duration.ofSeconds(2));
    BigDecimal ofStart = cores();
    Thread.sleep(Duration.ofSeconds(3));

    assertThat(cores())
        .as("after a start with " + ofStart)
        .isBetween(new BigDecimal("0.05"), new BigDecimal("0.4"));
  }

  private BigDecimal cores() {
    return world.machine.usage().container("uid-1", "main").orElseThrow().cores();
  }
}
