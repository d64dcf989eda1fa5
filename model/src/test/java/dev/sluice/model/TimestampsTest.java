package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {

  private static Optional<Instant> parsed(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException notAMoment) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-01-02T03:04:05Z",
        "0000-12-28T23:59:59Z",
        "2024-02-29T00:00:00Z",
        "2024-12-31T23:59:60Z",
        "2024-01-02T24:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-01-00T00:00:00Z",
        "2024-01-02T03:04:05.25Z",
        "2024-01-02T03:04:05+02:00",
        "2024-01-02 03:04:05Z",
        "2024-01-02T03:04:0xZ",
        "-001-01-02T03:04:05Z",
        "2024-01-02",
        "soon",
        ""
      })
  void momentsAreReadAsTheLibraryReadsThem(String text) {
    assertThat(Timestamps.parse(text)).isEqualTo(parsed(text));
  }

  @Test
  void momentsAreWrittenToTheSecondAndReadAgain() {
    var random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      Instant second = Instant.ofEpochSecond(random.nextLong(4_000_000_000L));
      String text = Timestamps.format(second.plusNanos(random.nextInt(1_000_000_000)));

      assertThat(text).isEqualTo(second.toString());
      assertThat(Timestamps.format(second)).isEqualTo(text);
      assertThat(Timestamps.parse(text)).contains(second);
    }
  }
}
