package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Launch;
import dev.sluice.runtime.ContainerSessions.End;
import dev.sluice.runtime.ContainerSessions.Session;
import dev.sluice.runtime.ContainerSessions.Wish;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Talks with real processes. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class SessionsTest {
  private static final RunId ID = new RunId("uid", "main", 0);

  @TempDir private Path folder;
  private Machine machine;
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

  @BeforeEach
  void open() throws IOException {
    machine = new Machine(folder.resolve("node"), "local");
  }

  @AfterEach
  void close() {
    machine.close();
  }

  @Test
  void aCommandHasTheSurroundingsOfItsContainer() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);

    End end = exec(false, "sh", "-c", "echo $WORD $(pwd); echo bad >&2; exit 3");

    assertThat(end).isEqualTo(new End(3, ""));
    assertThat(heard())
        .contains("stdout:hello " + folder.resolve("node/pods/uid/main/0/work") + "\n")
        .contains("stderr:bad\n");
  }

  @Test
  void aCommandReadsWhatIsWrittenToItsEnd() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);

    try (Session session = open(new Wish("uid", "main", List.of("cat"), true, false))) {
      session.write("one\n".getBytes(StandardCharsets.UTF_8));
      session.endInput();

      assertThat(session.await()).isEqualTo(new End(0, ""));
    }
    assertThat(heard()).isEqualTo("stdout:one\n");
  }

  @Test
  void aTerminalIsARealOne() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);

    try (Session session = open(new Wish("uid", "main", List.of("sh"), true, true))) {
      session.resize(123, 45);
      session.write("tty; stty size; exit 4\n".getBytes(StandardCharsets.UTF_8));

      assertThat(session.await()).isEqualTo(new End(4, ""));
    }
    assertThat(heard()).contains("/dev/pts/").contains("45 123");
  }

  @Test
  void aCommandThatIsNotThereIsNamed() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);

    assertThat(exec(false, "no-such-program").failure())
        .contains("\"no-such-program\": executable file not found");
  }

  @Test
  void whatAClosedSessionStartedEnds() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);
    long pid;
    try (Session session =
        open(new Wish("uid", "main", List.of("sh", "-c", "echo $$; sleep 1000"), false, false))) {
      await().until(() -> heard().endsWith("\n"));
      pid = Long.parseLong(heard().substring("stdout:".length()).strip());
      assertThat(session).isNotNull();
    }

    await().until(() -> ProcessHandle.of(pid).isEmpty());
    assertThat(Folders.names(folder.resolve("node/pods/uid"))).containsExactly("main");
  }

  @Test
  void commandsEndWithTheirContainer() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);
    try (Session session = open(new Wish("uid", "main", List.of("sleep", "1000"), false, false))) {
      machine.kill(ID);

      assertThat(session.await().exitCode()).isEqualTo(137);
    }
  }

  @Test
  void aContainerCanBeTalkedTo() throws Exception {
    start("read word; echo got $word", new Launch.Streams(true, false, false));

    try (Session session = open(new Wish("uid", "main", List.of(), true, false))) {
      session.write("this\n".getBytes(StandardCharsets.UTF_8));

      assertThat(session.await()).isEqualTo(new End(0, ""));
    }
    assertThat(heard()).isEqualTo("stdout:got this\n");
  }

  @Test
  void aContainerWithATerminalShowsItToOthers() throws Exception {
    start("tty; read word; echo got $word", new Launch.Streams(true, true, true));

    try (Session session = open(new Wish("uid", "main", List.of(), true, true))) {
      session.write("this\n".getBytes(StandardCharsets.UTF_8));

      assertThat(session.await()).isEqualTo(new End(0, ""));
    }
    assertThat(heard()).contains("got this");
  }

  @Test
  void inputThatIsTakenOnceEndsWithItsWriter() throws Exception {
    start("cat; echo done", new Launch.Streams(true, true, false));

    open(new Wish("uid", "main", List.of(), true, false)).close();

    await().until(() -> machine.runs("uid").getFirst().state().toString().contains("Completed"));
  }

  @Test
  void whatAContainerDoesNotHaveIsRefused() throws Exception {
    start("sleep 1000", Launch.Streams.NONE);

    assertThatThrownBy(() -> open(new Wish("uid", "main", List.of(), true, false)))
        .hasMessageContaining("give it stdin: true");
    assertThatThrownBy(() -> open(new Wish("uid", "main", List.of(), false, true)))
        .hasMessageContaining("give it tty: true");
    assertThat(machine.open(new Wish("uid", "other", List.of(), false, false), this::hear))
        .isEmpty();
  }

  private End exec(boolean input, String... command) throws Exception {
    try (Session session = open(new Wish("uid", "main", List.of(command), input, false))) {
      return session.await();
    }
  }

  private Session open(Wish wish) throws IOException {
    return machine.open(wish, this::hear).orElseThrow();
  }

  private String heard() {
    return heard.toString(StandardCharsets.UTF_8);
  }

  private void hear(String stream, byte[] bytes) {
    heard.writeBytes((stream + ":").getBytes(StandardCharsets.UTF_8));
    heard.writeBytes(bytes);
  }

  private void start(String script, Launch.Streams streams) {
    var variables = new TreeMap<String, String>();
    variables.put("WORD", "hello");
    Launch plain = Launch.of(List.of("true"), variables);
    machine.start(ID, plain.withCommand(List.of("sh", "-c", script), streams));
  }
}
