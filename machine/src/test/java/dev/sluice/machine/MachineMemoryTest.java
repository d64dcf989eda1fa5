package dev.sluice.machine;

import static dev.sluice.machine.MachineWorld.FIRST;
import static dev.sluice.machine.MachineWorld.following;
import static dev.sluice.machine.MachineWorld.previous;
import static dev.sluice.machine.MachineWorld.question;
import static dev.sluice.machine.SampleLaunches.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a machine keeps of processes: their logs and their ends, also when it is started again. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class MachineMemoryTest {
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

  @Test
  void theLogBeforeIsKeptAndOlderOnesGo() throws Exception {
    for (int attempt = 0; attempt < 3; attempt++) {
      var id = new RunId("uid-1", "main", attempt);
      world.machine.start(id, shell("echo run " + attempt));
      world.end(id);
    }

    assertThat(world.log(question(FIRST))).isEqualTo("run 2\n");
    assertThat(world.log(previous())).isEqualTo("run 1\n");
    assertThat(world.machine.runs("uid-1")).hasSize(2);
  }

  @Test
  void itSaysWhichLogsThereAre() {
    assertThat(world.machine.has(question(FIRST))).isFalse();

    world.machine.start(FIRST, shell("true"));

    assertThat(world.machine.has(question(FIRST))).isTrue();
    assertThat(world.machine.has(previous())).isFalse();
  }

  @Test
  void aFollowerSeesEverythingUntilTheEnd() throws Exception {
    world.machine.start(FIRST, shell("echo one; sleep 0.3; echo two"));

    assertThat(world.log(following())).isEqualTo("one\ntwo\n");
  }

  @Test
  void forgottenPodIsGone() throws Exception {
    world.machine.start(FIRST, shell("sleep 1000"));

    world.machine.forget("uid-1");

    await().until(() -> world.machine.pods().isEmpty());
    await().until(() -> Folders.names(folder.resolve("node/pods")).isEmpty());
  }

  @Test
  void aClosedMachineHasEndedEverything() throws Exception {
    world.machine.start(FIRST, shell("sleep 1000"));

    world.machine.close();

    assertThat(world.end(FIRST).exitCode()).isEqualTo(143);
  }

  @Test
  void endsAreKnownAfterARestart() throws Exception {
    world.machine.start(FIRST, shell("exit 5"));
    world.end(FIRST);
    world.machine.close();

    try (Machine again = new Machine(folder.resolve("node"), "local")) {
      assertThat(ends(again, "uid-1").getFirst().exitCode()).isEqualTo(5);
    }
  }

  @Test
  void processesOfAnEarlierMachineAreEndedAndNotTakenForOthers() throws Exception {
    Process leftover = new ProcessBuilder("setsid", "sleep", "1000").start();
    Process stranger = new ProcessBuilder("setsid", "sleep", "1000").start();
    record("uid-2", leftover.pid(), leftover.info().startInstant().orElseThrow());
    record("uid-3", stranger.pid(), Instant.EPOCH);

    try (Machine again = new Machine(folder.resolve("node"), "local")) {
      assertThat(ends(again, "uid-2").getFirst().reason()).isEqualTo("ContainerStatusUnknown");
      assertThat(ends(again, "uid-3").getFirst().exitCode()).isEqualTo(137);
      assertThat(leftover.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      leftover.destroyForcibly();
      stranger.destroyForcibly();
    }
  }

  private void record(String pod, long pid, Instant begun) {
    RunFolder run = RunFolder.of(folder.resolve("node/pods"), new RunId(pod, "main", 0));
    run.create();
    run.writeIdentity(new RunFolder.Identity(pid, begun));
  }

  private static List<State.Ended> ends(Machine machine, String pod) {
    return machine.runs(pod).stream().map(Run::state).map(State.Ended.class::cast).toList();
  }
}
