package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.controllers.nodes.local.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What becomes of the termination messages of real processes. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class TerminationMessageTest {
  private static final String USUAL = "/dev/termination-log";

  @TempDir private Path folder;
  private Machine machine;

  @BeforeEach
  void open() throws IOException {
    assumeThat(Namespaces.detect().isOfRoot()).as("a machine where we are root").isTrue();
    machine = new Machine(folder.resolve("node"), "local");
  }

  @AfterEach
  void close() {
    if (machine != null) {
      machine.close();
    }
  }

  record Case(String name, String path, boolean orLogs, String script, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("the usual file", USUAL, false, "printf well >" + USUAL, "well"),
          new Case("another file", "/sluice-test/last", false, "echo a >/sluice-test/last", "a\n"),
          new Case(
              "after a failure", USUAL, true, "echo log; echo m >" + USUAL + "; exit 1", "m\n"),
          new Case("logs of a failure", USUAL, true, "echo one; echo two; exit 1", "one\ntwo\n"),
          new Case("no logs of a success", USUAL, true, "echo one", ""),
          new Case("no logs unless asked for", USUAL, false, "echo one; exit 1", ""),
          new Case("80 lines", USUAL, true, "seq 100; exit 1", lines(21, 100)),
          new Case(
              "4096 bytes",
              USUAL,
              false,
              "head -c 9000 /dev/zero | tr '\\0' x >" + USUAL,
              "x".repeat(4096)),
          new Case(
              "not removed",
              USUAL,
              false,
              "rm -f %1$s; mv /dev/null/none %1$s 2>/dev/null; echo a >%1$s".formatted(USUAL),
              "a\n"));

  private static String lines(int from, int to) {
    var lines = new StringBuilder();
    for (int i = from; i <= to; i++) {
      lines.append(i).append('\n');
    }
    return lines.toString();
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void tells(Case c) {
    assertThat(run(c.path(), c.orLogs(), c.script()).message()).isEqualTo(c.want());
  }

  @Test
  void noPathLeadsToAFileOfTheMachine() {
    State.Ended end = run("../../etc/shadow", false, "true");

    assertThat(end.reason()).isEqualTo("StartError");
    assertThat(end.message()).contains("absolute paths").endsWith("not at ../../etc/shadow");
    assertThat(run("/etc/passwd", false, "true").message()).isEmpty();
  }

  @Test
  void noLinkLeadsToAFileOfTheMachine() {
    Path message = folder.resolve("node/pods/uid/main/0/message");

    assertThat(run(USUAL, false, "ln -sf /etc/passwd " + message).message()).isEmpty();
  }

  private State.Ended run(String path, boolean orLogs, String script) {
    machine.forget("uid");
    var message = new Launch.Message(path, orLogs);
    machine.start(
        new RunId("uid", "main", 0),
        SampleLaunches.withMessage(SampleLaunches.shell(script), message));
    await().until(() -> machine.runs("uid").getFirst().state() instanceof State.Ended);
    return (State.Ended) machine.runs("uid").getFirst().state();
  }
}
