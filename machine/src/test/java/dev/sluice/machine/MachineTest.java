package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.runtime.ContainerLogs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real processes. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class MachineTest {
  private static final RunId FIRST = new RunId("uid-1", "main", 0);

  @TempDir private Path folder;
  private Machine machine;
  private final List<String> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() throws IOException {
    machine = new Machine(folder.resolve("node"), "local");
    machine.listen(told::add);
  }

  @AfterEach
  void close() {
    machine.close();
  }

  @Test
  void aProcessRunsAndItsEndIsTold() throws Exception {
    machine.start(FIRST, shell("echo hello; echo trouble >&2; exit 3"));

    State.Ended end = end(FIRST);
    assertThat(end.exitCode()).isEqualTo(3);
    assertThat(end.reason()).isEqualTo("Error");
    await().until(() -> told.equals(List.of("uid-1")));
    assertThat(log(question(FIRST))).contains("hello\n", "trouble\n");
    assertThat(log(ofStream("stderr"))).isEqualTo("trouble\n");
  }

  @Test
  void aKnownRunIsNotStartedAgain() throws Exception {
    machine.start(FIRST, shell("echo once"));
    end(FIRST);

    machine.start(FIRST, shell("echo once"));

    assertThat(log(question(FIRST))).isEqualTo("once\n");
  }

  @Test
  void itGetsItsEnvironmentAndNothingOfOurs() throws Exception {
    machine.start(FIRST, launch(List.of("env"), variables("GREETING", "hi", "a.b", "dotted")));

    end(FIRST);
    assertThat(log(question(FIRST)).lines())
        .contains("GREETING=hi", "a.b=dotted")
        .noneMatch(line -> line.startsWith("JAVA_HOME=") || line.startsWith("USER="));
  }

  @Test
  void aCommandThatIsNotThereIsNamed() throws Exception {
    machine.start(FIRST, launch(List.of("no-such-program"), variables()));

    State.Ended end = end(FIRST);
    assertThat(end.reason()).isEqualTo("StartError");
    assertThat(end.exitCode()).isEqualTo(128);
    assertThat(end.message())
        .contains("\"no-such-program\": executable file not found")
        .contains("images are not pulled");
  }

  @Test
  void aWorkingDirectoryThatIsNotThereIsNamed() throws Exception {
    machine.start(FIRST, SampleLaunches.withDirectory(shell("pwd"), "/no/such"));

    assertThat(end(FIRST).message()).contains("workingDir /no/such does not exist");
  }

  @Test
  void whoIgnoresTheRequestToEndIsKilledWithItsChildren() throws Exception {
    Path pid = folder.resolve("pid");
    machine.start(
        FIRST, shell("trap '' TERM; sleep 1000 & echo $! >" + pid + "; while :; do wait; done"));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    long child = Long.parseLong(Files.readString(pid).strip());

    machine.terminate(FIRST);
    Thread.sleep(200);
    assertThat(machine.runs("uid-1").getFirst().state()).isInstanceOf(State.Running.class);
    machine.kill(FIRST);

    assertThat(end(FIRST).exitCode()).isEqualTo(137);
    await().until(() -> ProcessHandle.of(child).isEmpty());
  }

  @Test
  void whoHeedsTheRequestEndsByItself() throws Exception {
    machine.start(FIRST, shell("trap 'echo bye; exit 0' TERM; echo up; sleep 1000 & wait"));
    await().until(() -> log(question(FIRST)).equals("up\n"));

    machine.terminate(FIRST);

    assertThat(end(FIRST).exitCode()).isZero();
    assertThat(log(question(FIRST))).isEqualTo("up\nbye\n");
  }

  @Test
  void childrenEndWithTheirContainer() throws Exception {
    machine.start(FIRST, shell("sleep 1000 & echo $!"));

    end(FIRST);
    long child = Long.parseLong(log(question(FIRST)).strip());
    await().until(() -> ProcessHandle.of(child).isEmpty());
  }

  @Test
  void theLogBeforeIsKeptAndOlderOnesGo() throws Exception {
    for (int attempt = 0; attempt < 3; attempt++) {
      var id = new RunId("uid-1", "main", attempt);
      machine.start(id, shell("echo run " + attempt));
      end(id);
    }

    assertThat(log(question(FIRST))).isEqualTo("run 2\n");
    assertThat(log(previous())).isEqualTo("run 1\n");
    assertThat(machine.runs("uid-1")).hasSize(2);
  }

  @Test
  void itSaysWhichLogsThereAre() {
    assertThat(machine.has(question(FIRST))).isFalse();

    machine.start(FIRST, shell("true"));

    assertThat(machine.has(question(FIRST))).isTrue();
    assertThat(machine.has(previous())).isFalse();
  }

  @Test
  void aFollowerSeesEverythingUntilTheEnd() throws Exception {
    machine.start(FIRST, shell("echo one; sleep 0.3; echo two"));

    var follow =
        new ContainerLogs.Question(
            "uid-1",
            "main",
            "",
            false,
            true,
            false,
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());
    assertThat(log(follow)).isEqualTo("one\ntwo\n");
  }

  @Test
  void whatIsForgottenIsGone() throws Exception {
    machine.start(FIRST, shell("sleep 1000"));

    machine.forget("uid-1");

    await().until(() -> machine.pods().isEmpty());
    await().until(() -> Folders.names(folder.resolve("node/pods")).isEmpty());
  }

  @Test
  void aClosedMachineHasEndedEverything() throws Exception {
    machine.start(FIRST, shell("sleep 1000"));

    machine.close();

    assertThat(end(FIRST).exitCode()).isEqualTo(143);
  }

  @Test
  void endsAreKnownAfterARestart() throws Exception {
    machine.start(FIRST, shell("exit 5"));
    end(FIRST);
    machine.close();

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

  @Test
  void checksTellWhatIsWrong() throws Exception {
    machine.start(FIRST, shell("sleep 1000"));
    int port;
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = listener.getLocalPort();
      assertThat(answer(new Check.Tcp("127.0.0.1", port))).isEmpty();
    }
    assertThat(answer(new Check.Tcp("127.0.0.1", port))).contains("refused");
    assertThat(answer(new Check.Http("http://127.0.0.1:" + port + "/", List.of())))
        .contains("refused");
    assertThat(answer(new Check.Command(shell("true")))).isEmpty();
    assertThat(answer(new Check.Command(shell("exit 4")))).contains("exit code 4");
    assertThat(answer(new Check.Command(shell("sleep 1000")))).contains("timed out");
  }

  private String answer(Check check) throws Exception {
    var answer = new CompletableFuture<String>();
    machine.check(FIRST, "Liveness", check, Duration.ofSeconds(2), answer::complete);
    return answer.get(20, TimeUnit.SECONDS);
  }

  @Test
  void onlyTheOwnerCanLookInside() throws Exception {
    machine.start(FIRST, shell("true"));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("node"))))
        .isEqualTo("rwx------");
  }

  private State.Ended end(RunId id) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                machine.runs(id.pod()).stream()
                    .filter(run -> run.id().equals(id))
                    .map(Run::state)
                    .filter(State.Ended.class::isInstance)
                    .map(State.Ended.class::cast)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static Launch shell(String script) {
    return SampleLaunches.shell(script);
  }

  private static Launch launch(List<String> command, SortedMap<String, String> environment) {
    return Launch.of(command, environment);
  }

  private static SortedMap<String, String> variables(String... namesAndValues) {
    var variables = new TreeMap<String, String>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      variables.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return variables;
  }

  private static ContainerLogs.Question question(RunId id) {
    return new ContainerLogs.Question(
        id.pod(),
        id.container(),
        "",
        false,
        false,
        false,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  private static ContainerLogs.Question ofStream(String stream) {
    return new ContainerLogs.Question(
        "uid-1",
        "main",
        stream,
        false,
        false,
        false,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  private static ContainerLogs.Question previous() {
    return new ContainerLogs.Question(
        "uid-1",
        "main",
        "",
        true,
        false,
        false,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  private String log(ContainerLogs.Question question) throws IOException, InterruptedException {
    var collected = new ByteArrayOutputStream();
    machine.copy(
        question,
        new ContainerLogs.Sink() {
          @Override
          public void write(byte[] bytes) {
            collected.writeBytes(bytes);
          }

          @Override
          public boolean isAbandoned() {
            return false;
          }
        });
    return collected.toString(StandardCharsets.UTF_8);
  }
}
