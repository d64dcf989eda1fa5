package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ExponentialBackoffTest {
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

  record Case(String name, Duration initial, Duration max, long failure, Duration want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("first failure", seconds(1), seconds(10), 1, seconds(1)),
          new Case("second failure doubles", seconds(1), seconds(10), 2, seconds(2)),
          new Case("last below the maximum", seconds(1), seconds(10), 4, seconds(8)),
          new Case("maximum cuts a doubling", seconds(1), seconds(10), 5, seconds(10)),
          new Case("maximum stays", seconds(1), seconds(10), Long.MAX_VALUE, seconds(10)),
          new Case("doubling to the maximum", seconds(1), seconds(8), 4, seconds(8)),
          new Case("initial above the maximum", seconds(9), seconds(5), 1, seconds(5)),
          new Case("initial of zero", Duration.ZERO, seconds(5), Long.MAX_VALUE, Duration.ZERO),
          new Case("maximum of zero", seconds(1), Duration.ZERO, 3, Duration.ZERO),
          new Case(
              "parts of a second", Duration.ofMillis(5), seconds(30), 8, Duration.ofMillis(640)),
          new Case("no overflow", Duration.ofNanos(1), LONGEST, Long.MAX_VALUE, LONGEST));

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void delayDoublesUpToTheMaximum(Case c) {
    assertThat(new ExponentialBackoff(c.initial(), c.max()).delay(c.failure())).isEqualTo(c.want());
  }

  @Test
  void negativeDelayIsRefused() {
    assertThatThrownBy(() -> new ExponentialBackoff(seconds(-1), seconds(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a back-off has no negative delays, but they are -1s and at most 5s");
  }

  @Test
  void noFailureHasNoDelay() {
    assertThatThrownBy(() -> new ExponentialBackoff(seconds(1), seconds(5)).delay(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the first failure is 1, so there is no 0");
  }
}
