package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** The switches of the log, and its JSON form. {@link LogIT} reads the log of a real process. */
class LogOptionsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "manager", "simulate", "explain", "import"})
  void helpOfEveryCommandThatLogsListsTheSwitches(String command) {
    assertThat(run("help", command)).isZero();

    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("--log-format=FORMAT")
        .contains("one of: text, json. Default: text")
        .contains("--log-level=LEVEL")
        .contains("one of: error, warn, info, debug, trace. Default: $SLUICE_LOG, else warn");
  }

  record Case(String line, String want) {}

  static final List<Case> WRONG =
      List.of(
          new Case(
              "up --log-format xml",
              "'--log-format': expected one of [text, json] (case-sensitive) but was 'xml'. See"
                  + " './sluice help up'."),
          new Case(
              "manager --log-level loud",
              "'--log-level': 'loud' is none of: error, warn, info, debug, trace. See './sluice help"
                  + " manager'."));

  @ParameterizedTest
  @FieldSource("WRONG")
  void wrongValueIsNamedWithTheAllowedOnes(Case c) {
    assertThat(run(c.line().split(" ", -1))).isEqualTo(2);

    assertThat(err.toString()).startsWith("sluice: ").contains(c.want()).hasLineCount(1);
  }

  @Test
  void levelOfTheEnvironmentIsTheDefault() {
    assertThat(LogOptions.defaultLevel(Map.of())).isEqualTo(Level.WARN);
    assertThat(LogOptions.defaultLevel(Map.of("SLUICE_LOG", "DEBUG"))).isEqualTo(Level.DEBUG);
    assertThat(LogOptions.defaultLevel(Map.of("SLUICE_LOG", ""))).isEqualTo(Level.WARN);
    assertThatThrownBy(() -> LogOptions.defaultLevel(Map.of("SLUICE_LOG", "loud")))
        .isInstanceOfSatisfying(UserError.class, e -> assertThat(e.exitCode()).isEqualTo(2))
        .hasMessage("SLUICE_LOG: 'loud' is none of: error, warn, info, debug, trace");
  }

  @Test
  void levelOfTheFlagHoldsForOurLoggersAndNotForLibraries() {
    Logger ours = LoggerFactory.getLogger("dev.sluice.Any");
    Logger library = LoggerFactory.getLogger("org.eclipse.jetty.Any");
    try {
      apply("--log-level", "debug");
      assertThat(ours.isDebugEnabled()).isTrue();
      assertThat(ours.isTraceEnabled()).isFalse();
      assertThat(library.isInfoEnabled()).isFalse();

      apply("--log-level", "error");
      assertThat(ours.isWarnEnabled()).isFalse();
    } finally {
      apply("--log-level", "warn");
    }
  }

  private static void apply(String... flags) {
    CommandLine.populateCommand(new LogOptions(), flags).apply();
  }

  @Test
  void lineOfJsonSaysWhenHowBadWhereAndWhat() {
    Tree line = encoded(null, "the pod {} has \"no\" node\nyet", "team/a");

    assertThat(line.names())
        .containsExactlyInAnyOrder("timestamp", "level", "logger", "thread", "message");
    assertThat(OffsetDateTime.parse(line.text("timestamp")).toInstant())
        .isEqualTo(Instant.parse("2030-01-02T03:04:05.678Z"));
    assertThat(line.text("level")).isEqualTo("WARN");
    assertThat(line.text("logger")).isEqualTo("dev.sluice.Any");
    assertThat(line.text("thread")).isEqualTo(Thread.currentThread().getName());
    assertThat(line.text("message")).isEqualTo("the pod team/a has \"no\" node\nyet");
  }

  @Test
  void lineOfJsonHasTheStackTraceOfAnException() {
    var thrown = new IllegalStateException("outer", new IllegalArgumentException("inner"));

    assertThat(encoded(thrown, "it failed").text("stackTrace"))
        .startsWith("java.lang.IllegalStateException: outer")
        .contains("Caused by: java.lang.IllegalArgumentException: inner")
        .contains("at dev.sluice.cli.LogOptionsTest.lineOfJsonHasTheStackTraceOfAnException(");
  }

  private static Tree encoded(@Nullable Throwable thrown, String message, Object... arguments) {
    var logger = new LoggerContext().getLogger("dev.sluice.Any");
    var event =
        new LoggingEvent(
            LogOptionsTest.class.getName(), logger, Level.WARN, message, thrown, arguments);
    event.setInstant(Instant.parse("2030-01-02T03:04:05.678Z"));

    byte[] line = new JsonLogEncoder().encode(event);

    assertThat(new String(line, StandardCharsets.UTF_8)).endsWith("}\n").hasLineCount(1);
    return Json.parseTree(line);
  }
}
