package dev.sluice.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.ContainerLogs.LogRequest;
import dev.sluice.runtime.ContainerLogs.Sink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class LogReaderTest {
  @TempDir private Path folder;

  record Case(
      String stream,
      boolean timestamps,
      String since,
      OptionalLong lines,
      OptionalLong bytes,
      String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("", false, "", none(), none(), "one\ntwo\nlong line\nend"),
          new Case("stderr", false, "", none(), none(), "two\n"),
          new Case("", false, "2030-01-01T00:00:02Z", none(), none(), "long line\nend"),
          new Case("", false, "", some(2), none(), "long line\nend"),
          new Case("", false, "", some(0), none(), ""),
          new Case("", false, "", none(), some(6), "one\ntw"),
          new Case("stderr", true, "", none(), none(), "2030-01-01T00:00:01.000000000Z two\n"));

  @ParameterizedTest
  @FieldSource("CASES")
  void onlyTheWantedIsCopied(Case c) throws Exception {
    Files.writeString(LogFile.older(folder), "2030-01-01T00:00:00.000000000Z stdout F one\n");
    Files.writeString(
        LogFile.newer(folder),
        """
        2030-01-01T00:00:01.000000000Z stderr F two
        2030-01-01T00:00:02.000000000Z stdout P long\s
        2030-01-01T00:00:02.500000000Z stdout F line
        2030-01-01T00:00:03.000000000Z stdout P end
        """);

    Optional<Instant> since =
        c.since().isEmpty() ? Optional.empty() : Optional.of(Instant.parse(c.since()));
    var question =
        new LogRequest(
            "p", "c", c.stream(), false, false, c.timestamps(), since, c.lines(), c.bytes());
    assertThat(read(question)).isEqualTo(c.want());
  }

  @Test
  void aLogNeverKeepsMoreThanTwiceItsLimit() throws Exception {
    try (var log = new LogFile(folder, 1000)) {
      byte[] lines = "0123456789\n".repeat(1000).getBytes(StandardCharsets.UTF_8);
      log.copy(new ByteArrayInputStream(lines), "stdout");
    }

    assertThat(Files.size(LogFile.newer(folder))).isLessThan(1100);
    assertThat(Files.size(LogFile.older(folder))).isLessThan(1100);
    assertThat(read(everything())).startsWith("0123456789\n").endsWith("0123456789\n");
  }

  @Test
  void veryLongLinesComeOutWhole() throws Exception {
    String line = "x".repeat(50_000) + "\n";
    try (var log = new LogFile(folder, LogFile.LIMIT)) {
      log.copy(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), "stdout");
    }

    assertThat(read(everything())).isEqualTo(line);
  }

  private static LogRequest everything() {
    return new LogRequest("p", "c", "", false, false, false, Optional.empty(), none(), none());
  }

  private static OptionalLong none() {
    return OptionalLong.empty();
  }

  private static OptionalLong some(long number) {
    return OptionalLong.of(number);
  }

  private String read(LogRequest question) throws IOException, InterruptedException {
    var collected = new ByteArrayOutputStream();
    var sink =
        new Sink() {
          @Override
          public void write(byte[] bytes) {
            collected.writeBytes(bytes);
          }

          @Override
          public boolean isAbandoned() {
            return false;
          }
        };
    new LogReader(question, folder, sink).copy(Optional.empty());
    return collected.toString(StandardCharsets.UTF_8);
  }
}
