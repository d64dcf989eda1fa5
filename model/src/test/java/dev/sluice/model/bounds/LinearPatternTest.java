package dev.sluice.model.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearPatternTest {
  private static final long ENOUGH = 1_000_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$",
        "^(([a-z0-9]{1,63}\\.){1,10})[a-z]{2,63}$",
        "[^]\\]({5000}]+",
        "[[:alpha:]({9999}]",
        "\\Q(a{1}\\E",
        "\\x{10FFFF}?\\p{Greek}+{,5}",
        "(?i)^.{1,1000}$",
        "a{,3}{x}",
        ""
      })
  void usualPatternIsTaken(String pattern) {
    assertThat(LinearPattern.compile(pattern).instructions()).isPositive();
  }

  static final List<String> REFUSED =
      List.of(
          "(",
          "(?=a)b",
          "(a)\\1",
          "^(a{1,1000}){1,1000}$",
          "((a{100}){100}){100}",
          "(a|b{999}|c{999}){9,}",
          "(){1000}(){1000}((){1000}){1000}",
          "([(]{1000}){1000}",
          "(\\({1000}){1000}",
          "(".repeat(1000) + ")".repeat(1000),
          "a".repeat(10_001));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void largeOrForeignPatternIsRefusedAtOnce(String pattern) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(2),
        () ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> LinearPattern.compile(pattern))
                .withMessageContaining("must be a regular expression"));
  }

  @Test
  void ambiguousPatternTakesLinearTime() {
    LinearPattern pattern = LinearPattern.compile("(a*)*(a*)*(a*)*b");

    boolean found =
        assertTimeoutPreemptively(
            Duration.ofSeconds(5), () -> pattern.find("a".repeat(5000) + "!", new Meter(ENOUGH)));

    assertThat(found).isFalse();
  }

  @Test
  void matchThatTakesTooLongIsStopped() {
    LinearPattern pattern = LinearPattern.compile("(a?){900}b");
    var meter = new Meter(1000);

    assertThatThrownBy(() -> pattern.find("a".repeat(1_000_000), meter))
        .isInstanceOf(ExceededException.class)
        .hasMessage("it takes more than 1000 steps");
    assertThat(meter.isExceeded()).isTrue();
  }

  @Test
  void partsAreFoundFromTheLeft() {
    LinearPattern pattern = LinearPattern.compile("[0-9]+");

    assertThat(pattern.findAll("1 a 22 b 333", 2, new Meter(ENOUGH))).containsExactly("1", "22");
  }

  @Test
  void flagsChangeWhatMatches() {
    assertThat(LinearPattern.compile("A.B", true, true).find("a\nb", new Meter(ENOUGH))).isTrue();
    assertThat(LinearPattern.compile("A.B").find("a\nb", new Meter(ENOUGH))).isFalse();
  }
}
