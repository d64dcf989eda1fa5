package dev.sluice.engine.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class UsageDecayTest {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final BigDecimal LAST_DECIMAL = new BigDecimal("1e-24");

  record Case(String name, Duration halfLife, Duration elapsed, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> LEFT =
      List.of(
          new Case("nothing has passed", WEEK, Duration.ZERO, "1"),
          new Case("one half-life", WEEK, WEEK, "0.5"),
          new Case("three half-lives", WEEK, WEEK.multipliedBy(3), "0.125"),
          new Case("half of one", WEEK, WEEK.dividedBy(2), "0.707106781186547524400844"),
          new Case("1.75 of one", WEEK, Duration.ofHours(294), "0.297301778750680266679375"),
          new Case("the clock was set back", WEEK, Duration.ofHours(-1), "1"),
          new Case("ages", Duration.ofNanos(1), Duration.ofDays(3_000_000_000L), "0"),
          new Case("nothing is remembered", Duration.ZERO, Duration.ZERO, "0"));

  @ParameterizedTest
  @FieldSource("LEFT")
  void left(Case c) {
    assertThat(new UsageDecay(c.halfLife()).left(c.elapsed())).isEqualByComparingTo(c.want());
  }

  @Test
  void countsFiveMinutesOfAWeek() {
    assertThat(new UsageDecay(WEEK).alpha(Duration.ofMinutes(5)))
        .isCloseTo(new BigDecimal("3.438e-4"), within(new BigDecimal("5e-8")));
  }

  @Test
  void countsNothingIfNothingIsRemembered() {
    assertThat(new UsageDecay(Duration.ZERO).alpha(Duration.ofDays(1))).isZero();
  }

  @Test
  void refusesANegativeHalfLife() {
    assertThatThrownBy(() -> new UsageDecay(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
  }

  @Test
  void agreesWithASeriesInMoreDigits() {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      Duration halfLife = Duration.ofNanos(random.nextLong(1, WEEK.toNanos()));
      Duration elapsed = Duration.ofNanos(random.nextLong(0, 4 * halfLife.toNanos()));

      assertThat(new UsageDecay(halfLife).left(elapsed))
          .as("%s of %s", elapsed, halfLife)
          .isCloseTo(reference(elapsed, halfLife), within(LAST_DECIMAL));
    }
  }

  /** e^(-x ln 2) by its series, with 60 digits. */
  private static BigDecimal reference(Duration elapsed, Duration halfLife) {
    var digits = new MathContext(60);
    var ln2 = new BigDecimal("0.693147180559945309417232121458176568075500134360255254120680009");
    BigDecimal x =
        new BigDecimal(elapsed.toNanos())
            .divide(new BigDecimal(halfLife.toNanos()), digits)
            .multiply(ln2)
            .negate();
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int n = 1; n < 80; n++) {
      term = term.multiply(x, digits).divide(BigDecimal.valueOf(n), digits);
      sum = sum.add(term);
    }
    return sum;
  }
}
