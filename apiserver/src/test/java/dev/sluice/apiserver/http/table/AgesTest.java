package dev.sluice.apiserver.http.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {

  @ParameterizedTest
  @CsvSource({
    "-5, <invalid>",
    "-1, 0s",
    "0, 0s",
    "119, 119s",
    "120, 2m",
    "121, 2m1s",
    "599, 9m59s",
    "600, 10m",
    "10799, 179m",
    "10800, 3h",
    "10860, 3h1m",
    "28799, 7h59m",
    "28800, 8h",
    "172799, 47h",
    "172800, 2d",
    "176400, 2d1h",
    "691199, 7d23h",
    "691200, 8d",
    "63071999, 729d",
    "63072000, 2y",
    "63158400, 2y1d",
    "252287999, 7y364d",
    "252288000, 8y",
    "315360000, 10y"
  })
  void seconds(long seconds, String want) {
    assertThat(Ages.text(Duration.ofSeconds(seconds))).isEqualTo(want);
  }

  @Test
  void aMissingMomentIsUnknown() {
    assertThat(Ages.since(Optional.empty(), Instant.EPOCH)).isEqualTo("<unknown>");
    assertThat(Ages.since("yesterday", Instant.EPOCH)).isEqualTo("<unknown>");
  }
}
