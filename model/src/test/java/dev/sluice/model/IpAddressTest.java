package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 10.1.2.3",
    "0.0.0.0, 0.0.0.0",
    "::, ::",
    "::1, ::1",
    "fd00::, fd00::",
    "FD00:0:0:1:0:0:0:1, fd00:0:0:1::1",
    "1:0:0:2:0:0:3:4, 1::2:0:0:3:4",
    "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
    "::1.2.3.4, ::102:304",
    "1:2:3:4:5:6:255.255.0.1, 1:2:3:4:5:6:ffff:1"
  })
  void isWrittenInItsShortestForm(String text, String want) {
    assertThat(IpAddress.parse(text).orElseThrow()).hasToString(want);
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.255, 1, 10.1.3.0",
    "255.255.255.255, 1, 0.0.0.0",
    "fd00::ffff, 2, fd00::1:1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 1, ::"
  })
  void isFollowedByOthers(String text, int places, String want) {
    assertThat(IpAddress.parse(text).orElseThrow().plus(places)).hasToString(want);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "odd",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4::5:6:7:8",
        "12345::",
        "fe80::1%eth0",
        "[::1]",
        "::1.2.3",
        "1.2.3.4::",
        "1:2:3:4:5:6:7:1.2.3.4"
      })
  void isNothingElse(String text) {
    assertThat(IpAddress.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"::ffff:1.2.3.4, true", "::1.2.3.4, false", "1.2.3.4, false"})
  void mayOnlyStandForAnother(String text, boolean want) {
    assertThat(IpAddress.parse(text).orElseThrow().isMapped()).isEqualTo(want);
  }
}
