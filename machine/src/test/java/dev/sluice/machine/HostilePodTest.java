package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes that want to stay, to hide or to fill the disk. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class HostilePodTest {
  private static final RunId ID = new RunId("uid", "main", 0);

  /** A child that left the session of its parents and closed its streams. */
  private static final String DAEMON =
      "(trap '' TERM HUP; setsid sh -c 'trap \"\" TERM HUP; echo $$ >\"$PIDS\"; exec sleep 1000'"
          + " >/dev/null 2>&1 &)";

  @TempDir private Path folder;
  private Machine machine;

  @BeforeEach
  void open() throws IOException {
    machine = new Machine(folder.resolve("node"), "local");
  }

  @AfterEach
  void close() {
    machine.close();
  }

  @Test
  void processOutsideTheSessionEndsWithTheContainer() throws Exception {
    start(DAEMON + "; until [ -s \"$PIDS\" ]; do sleep 0.02; done");

    assertThat(end().exitCode()).isZero();
    awaitGone(pid());
  }

  @Test
  void processOutsideTheSessionEndsWhenThePodIsKilled() throws Exception {
    start(DAEMON + "; sleep 1000");
    long pid = pid();

    machine.kill(ID);

    assertThat(end().exitCode()).isEqualTo(137);
    awaitGone(pid);
  }

  /** The same, and it emptied its environment, so that nothing of it tells where it came from. */
  private static final String STRANGER =
      "(setsid env -i sh -c 'trap \"\" TERM HUP; echo $$ >\"$1\"; exec sleep 1000' sh \"$PIDS\""
          + " >/dev/null 2>&1 &); until [ -s \"$PIDS\" ]; do sleep 0.02; done";

  @Test
  @EnabledIf("hasCgroups")
  void processWithoutEnvironmentEndsWithTheContainer() throws Exception {
    start(STRANGER);

    assertThat(end().exitCode()).isZero();
    awaitGone(pid());
  }

  @Test
  @EnabledIf("hasCgroups")
  void processWithoutEnvironmentEndsWhenThePodIsKilled() throws Exception {
    start(STRANGER + "; sleep 1000");
    long pid = pid();

    machine.kill(ID);

    assertThat(end().exitCode()).isEqualTo(137);
    awaitGone(pid);
  }

  @Test
  @EnabledIf("hasCgroups")
  void whatAProbeLeftBehindEndsWithTheContainer() throws Exception {
    start("sleep 1000");
    SortedMap<String, String> variables = new TreeMap<>();
    variables.put("PIDS", folder.resolve("pids").toString());
    Launch probe = Launch.of(List.of("sh", "-c", STRANGER), variables);
    machine.check(ID, "Liveness", new Check.Command(probe), Duration.ofSeconds(9), _ -> {});
    long pid = pid();

    machine.kill(ID);

    awaitGone(pid);
  }

  @Test
  @EnabledIf("hasCgroups")
  void processWithoutEnvironmentIsFoundByTheNextMachine() throws Exception {
    var old = new RunId("old", "main", 0);
    Files.createDirectories(folder.resolve("node/pods/old/main/0"));
    Path group = Cgroups.detect().make(old, Launch.Limits.NONE).orElseThrow();
    String enter = "echo $$ >\"$1/cgroup.procs\"; exec sleep 1000";
    new ProcessBuilder("setsid", "env", "-i", "sh", "-c", enter, "sh", group.toString()).start();
    await().until(() -> !Cgroups.processes(group).isEmpty());
    long pid = Cgroups.processes(group).getFirst();

    try (var again = new Machine(folder.resolve("node"), "local")) {
      awaitGone(pid);
      assertThat(again.runs("old")).hasSize(1);
      assertThat(group).doesNotExist();
    }
  }

  static boolean hasCgroups() throws IOException {
    Optional<Path> group = Cgroups.detect().make(new RunId("try", "out", 0), Launch.Limits.NONE);
    boolean has = group.map(path -> path.resolve("cgroup.kill")).filter(Files::exists).isPresent();
    group.ifPresent(Cgroups::remove);
    return has;
  }

  @Test
  void leftoverProcessIsFoundWithoutItsParents() throws Exception {
    Path run = folder.resolve("node/pods/old/main/0");
    Files.createDirectories(run);
    var orphan = new ProcessBuilder("setsid", "sleep", "1000");
    orphan.environment().put(DescendantProcesses.VARIABLE, run + "/");
    long pid = orphan.start().pid();

    try (var again = new Machine(folder.resolve("node"), "local")) {
      awaitGone(pid);
      assertThat(again.runs("old")).hasSize(1);
    }
  }

  @Test
  void otherProcessesKeepRunning() throws Exception {
    var other = new ProcessBuilder("sleep", "1000");
    other
        .environment()
        .put(DescendantProcesses.VARIABLE, folder.resolve("node/pods-of-another") + "/");
    Process stranger = other.start();
    try {
      start("true");
      end();
      machine.close();

      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void endlessLogsAreCut() throws Exception {
    start("yes 0123456789012345678901234567890123456789 | head -c 30000000");

    end();

    Path run = folder.resolve("node/pods/uid/main/0");
    assertThat(Files.size(LogFile.newer(run)) + Files.size(LogFile.older(run)))
        .isLessThan(2 * LogFile.LIMIT + (64 << 10));
  }

  @Test
  void tooManyVariablesAreRefused() {
    SortedMap<String, String> variables = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      variables.put("V" + i, "x".repeat(100_000));
    }

    machine.start(ID, Launch.of(List.of("true"), variables));

    assertThat(end().reason()).isEqualTo("StartError");
    assertThat(end().message()).contains("too long").contains("variables");
  }

  @Test
  void aVariableThatNoProcessCanHaveIsRefusedWithoutTellingItsValue() {
    SortedMap<String, String> variables = new TreeMap<>();
    variables.put("KEY", "secret\0bytes");

    machine.start(ID, Launch.of(List.of("true"), variables));

    assertThat(end().reason()).isEqualTo("StartError");
    assertThat(end().message()).contains("env KEY").contains("files of volumes");
    assertThat(end().message()).doesNotContain("secret");
  }

  @Test
  @EnabledIf("hasCgroups")
  void whatCannotBeStartedLeavesNoGroup() throws Exception {
    Path group = Cgroups.detect().make(ID, Launch.Limits.NONE).orElseThrow();
    SortedMap<String, String> variables = new TreeMap<>();
    variables.put("KEY", "\0");

    machine.start(ID, Launch.of(List.of("true"), variables));

    assertThat(end().reason()).isEqualTo("StartError");
    assertThat(group).doesNotExist();
    machine.close();
    assertThat(group.getParent()).doesNotExist();
  }

  @Test
  void aPathThatNoFileCanHaveIsRefused() {
    Launch odd = SampleLaunches.shell("true");
    var mount = new Launch.Mount("v", new Launch.Content.Scratch(), "/a\0b", "", false);

    machine.start(ID, SampleLaunches.withMounts(odd, List.of(mount)));

    assertThat(end().reason()).isEqualTo("StartError");
  }

  private void start(String script) {
    SortedMap<String, String> variables = new TreeMap<>();
    variables.put("PIDS", folder.resolve("pids").toString());
    variables.put(DescendantProcesses.VARIABLE, "mine");
    machine.start(ID, Launch.of(List.of("sh", "-c", script), variables));
  }

  private long pid() throws IOException {
    Path file = folder.resolve("pids");
    await().until(() -> Files.exists(file) && Files.readString(file).endsWith("\n"));
    return Long.parseLong(Files.readString(file).strip());
  }

  private State.Ended end() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> machine.runs("uid").getFirst().state() instanceof State.Ended);
    return (State.Ended) machine.runs("uid").getFirst().state();
  }

  private static void awaitGone(long pid) {
    await()
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty() || isDead(pid));
  }

  /** Dead, but whoever inherits orphans has not buried it yet. */
  private static boolean isDead(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "stat");
    return !Files.exists(status) || Files.readString(status).contains(") Z ");
  }
}
