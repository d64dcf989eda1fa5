package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoDurationTest {

  @ParameterizedTest
  @CsvSource({
    "0,0s",
    "90000000000,1m30s",
    "3600000000000,1h0m0s",
    "1500000000,1.5s",
    "250000000,250ms",
    "1500,1.5µs",
    "7,7ns",
    "-60000000000,-1m0s",
    "-9223372036854775808,-2562047h47m16.854775808s"
  })
  void durationsAreWrittenAsGoWritesThem(long nanos, String want) {
    assertThat(GoDuration.format(nanos)).isEqualTo(want);
  }
}
