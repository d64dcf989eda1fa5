package dev.sluice.machine;

import static dev.sluice.machine.MachineWorld.FIRST;
import static dev.sluice.machine.MachineWorld.ofStream;
import static dev.sluice.machine.MachineWorld.question;
import static dev.sluice.machine.SampleLaunches.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.Check;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real processes: how they start, how they are, and how they end. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class MachineTest {
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
  void aProcessRunsAndItsEndIsTold() throws Exception {
    world.machine.start(FIRST, shell("echo hello; echo trouble >&2; exit 3"));

    State.Ended end = world.end(FIRST);
    assertThat(end.exitCode()).isEqualTo(3);
    assertThat(end.reason()).isEqualTo("Error");
    await().until(() -> world.told.equals(List.of("uid-1")));
    assertThat(world.log(question(FIRST))).contains("hello\n", "trouble\n");
    assertThat(world.log(ofStream("stderr"))).isEqualTo("trouble\n");
  }

  @Test
  void aKnownRunIsNotStartedAgain() throws Exception {
    world.machine.start(FIRST, shell("echo once"));
    world.end(FIRST);

    world.machine.start(FIRST, shell("echo once"));

    assertThat(world.log(question(FIRST))).isEqualTo("once\n");
  }

  @Test
  void itGetsItsEnvironmentAndNothingOfOurs() throws Exception {
    world.machine.start(
        FIRST, Launch.of(List.of("env"), variables("GREETING", "hi", "a.b", "dotted")));

    world.end(FIRST);
    assertThat(world.log(question(FIRST)).lines())
        .contains("GREETING=hi", "a.b=dotted")
        .noneMatch(line -> line.startsWith("JAVA_HOME=") || line.startsWith("USER="));
  }

  @Test
  void aCommandThatIsNotThereIsNamed() throws Exception {
    world.machine.start(FIRST, Launch.of(List.of("no-such-program"), variables()));

    State.Ended end = world.end(FIRST);
    assertThat(end.reason()).isEqualTo("StartError");
    assertThat(end.exitCode()).isEqualTo(128);
    assertThat(end.message())
        .contains("\"no-such-program\": executable file not found")
        .contains("images are not pulled");
  }

  @Test
  void aWorkingDirectoryThatIsNotThereIsNamed() throws Exception {
    world.machine.start(FIRST, SampleLaunches.withDirectory(shell("pwd"), "/no/such"));

    assertThat(world.end(FIRST).message()).contains("workingDir /no/such does not exist");
  }

  @Test
  void processThatIgnoresTheTermSignalIsKilledWithItsChildren() throws Exception {
    Path pid = folder.resolve("pid");
    world.machine.start(
        FIRST, shell("trap '' TERM; sleep 1000 & echo $! >" + pid + "; while :; do wait; done"));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    long child = Long.parseLong(Files.readString(pid).strip());

    world.machine.terminate(FIRST);
    Thread.sleep(200);
    assertThat(world.machine.runs("uid-1").getFirst().state()).isInstanceOf(State.Running.class);
    world.machine.kill(FIRST);

    assertThat(world.end(FIRST).exitCode()).isEqualTo(137);
    await().until(() -> ProcessHandle.of(child).isEmpty());
  }

  @Test
  void processThatHeedsTheTermSignalEndsByItself() throws Exception {
    world.machine.start(FIRST, shell("trap 'echo bye; exit 0' TERM; echo up; sleep 1000 & wait"));
    await().until(() -> world.log(question(FIRST)).equals("up\n"));

    world.machine.terminate(FIRST);

    assertThat(world.end(FIRST).exitCode()).isZero();
    assertThat(world.log(question(FIRST))).isEqualTo("up\nbye\n");
  }

  @Test
  void childrenEndWithTheirContainer() throws Exception {
    world.machine.start(FIRST, shell("sleep 1000 & echo $!"));

    world.end(FIRST);
    long child = Long.parseLong(world.log(question(FIRST)).strip());
    await().until(() -> ProcessHandle.of(child).isEmpty());
  }

  @Test
  void checksTellWhatIsWrong() throws Exception {
    world.machine.start(FIRST, shell("sleep 1000"));
    int port;
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = listener.getLocalPort();
      assertThat(answer(new Check.Tcp("127.0.0.1", port))).isEmpty();
    }
    assertThat(answer(new Check.Tcp("127.0.0.1", port)))
        .isEqualTo("127.0.0.1:%d: Connection refused".formatted(port));
    assertThat(answer(new Check.Grpc("127.0.0.1", port, "")))
        .isEqualTo("127.0.0.1:%d: Connection refused".formatted(port));
    assertThat(answer(new Check.Http("http://127.0.0.1:" + port + "/", List.of())))
        .contains("refused");
    assertThat(answer(new Check.Command(shell("true")))).isEmpty();
    assertThat(answer(new Check.Command(shell("exit 4")))).contains("exit code 4");
    assertThat(answer(new Check.Command(shell("sleep 1000")))).contains("timed out");
  }

  private String answer(Check check) throws Exception {
    var answer = new CompletableFuture<String>();
    world.machine.check(FIRST, "Liveness", check, Duration.ofSeconds(2), answer::complete);
    return answer.get(20, TimeUnit.SECONDS);
  }

  @Test
  void onlyTheOwnerCanLookInside() throws Exception {
    world.machine.start(FIRST, shell("true"));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("node"))))
        .isEqualTo("rwx------");
  }

  @Test
  void containerGetsTheStopSignalItWants() throws Exception {
    world.machine.start(
        FIRST,
        SampleLaunches.withStopSignal(
            shell("trap 'echo heard; exit 0' USR1; trap '' TERM; echo up; sleep 1000 & wait"), 10));
    await().until(() -> world.log(question(FIRST)).equals("up\n"));

    world.machine.terminate(FIRST);

    assertThat(world.end(FIRST).exitCode()).isZero();
    assertThat(world.log(question(FIRST))).isEqualTo("up\nheard\n");
  }

  @Test
  void whatThisProgramIgnoresItsProcessesHeed() throws Exception {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
    Method handle = signal.getMethod("handle", signal, handler);
    Object before = handle.invoke(null, hangUp, handler.getField("SIG_IGN").get(null));
    try (var deaf = new MachineWorld(folder.resolve("deaf"))) {
      deaf.machine.start(FIRST, shell("trap 'echo heard; exit 0' HUP; kill -HUP $$; echo deaf"));

      deaf.end(FIRST);
      assertThat(deaf.log(question(FIRST))).isEqualTo("heard\n");
    } finally {
      handle.invoke(null, hangUp, before);
    }
  }

  private static SortedMap<String, String> variables(String... namesAndValues) {
    var variables = new TreeMap<String, String>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      variables.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return variables;
  }
}
