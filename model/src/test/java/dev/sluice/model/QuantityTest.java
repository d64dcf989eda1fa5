package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

  record Case(String text, String canonical, long units, long millis) {}

  static final List<Case> CASES =
      List.of(
          new Case("0", "0", 0, 0),
          new Case("1", "1", 1, 1000),
          new Case("1000m", "1", 1, 1000),
          new Case("1500m", "1500m", 2, 1500),
          new Case("0.5", "500m", 1, 500),
          new Case(".5", "500m", 1, 500),
          new Case("1024Mi", "1Gi", 1L << 30, 1000L << 30),
          new Case("1.5Gi", "1536Mi", 3L << 29, 1500L << 30),
          new Case("1073741824", "1073741824", 1L << 30, 1000L << 30),
          new Case("1e3", "1k", 1000, 1_000_000),
          new Case("12E", "12E", Long.MAX_VALUE, Long.MAX_VALUE),
          new Case("100n", "100n", 1, 1),
          new Case("-2", "-2", -2, -2000),
          new Case("+3", "3", 3, 3000),
          new Case("512Ki", "512Ki", 512 << 10, 512_000L << 10),
          new Case("100Ei", "100Ei", Long.MAX_VALUE, Long.MAX_VALUE),
          new Case("1e300", "1000000000000000000E", Long.MAX_VALUE, Long.MAX_VALUE));

  @ParameterizedTest
  @FieldSource("CASES")
  void readsAndWrites(Case c) {
    Quantity quantity = Quantity.parse(c.text()).orElseThrow();

    assertThat(quantity).hasToString(c.canonical());
    assertThat(quantity.units()).isEqualTo(c.units());
    assertThat(quantity.millis()).isEqualTo(c.millis());
    assertThat(Quantity.parse(c.canonical()).orElseThrow()).isEqualByComparingTo(quantity);
  }

  @Test
  void whatLooksCanonicalIs() {
    int seen = 0;
    for (String suffix : List.of("", "n", "m", "k", "M", "T", "E", "Ki", "Mi", "Ti", "Ei", "e3")) {
      for (int number : List.of(0, 1, 10, 500, 999, 1000, 1023, 1024, 1025, 204_800, 999_999)) {
        String text = number + suffix;
        if (Quantity.isPlainlyCanonical(text)) {
          seen++;
          assertThat(Quantity.parse(text).orElseThrow()).hasToString(text);
        }
      }
    }
    assertThat(seen).isGreaterThan(50);
    assertThat(List.of("01", "1000000", "1.5", "", "m", "1 Gi"))
        .noneMatch(Quantity::isPlainlyCanonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1x", "1 Gi", "1Gib", "--1", "1.2.3", "m", "0x10", "1e99999"})
  void refusesWhatIsNoQuantity(String text) {
    assertThat(Quantity.parse(text)).isEmpty();
  }

  record NumberCase(String number, long units) {}

  static final List<NumberCase> NUMBERS =
      List.of(
          new NumberCase("1.5", 2),
          new NumberCase("1e999999999", Long.MAX_VALUE),
          new NumberCase("-1e999999999", -Long.MAX_VALUE),
          new NumberCase("1e-999999999", 1),
          new NumberCase("0e999999999", 0));

  @ParameterizedTest
  @FieldSource("NUMBERS")
  void readsNumbersWithoutWritingOutTheirZeros(NumberCase c) {
    Quantity quantity = Quantity.of(new Value.Decimal(new BigDecimal(c.number())));

    assertThat(quantity.units()).isEqualTo(c.units());
    assertThat(Quantity.parse(quantity.toString()).orElseThrow().units()).isEqualTo(c.units());
  }

  @Test
  void arithmeticIsExact() {
    Quantity third = Quantity.parse("333333333n").orElseThrow();

    assertThat(third.plus(third).plus(third)).hasToString("999999999n");
    assertThat(third.times(new BigDecimal("3000000000")).units()).isEqualTo(999_999_999);
    assertThat(Quantity.parse("1Gi").orElseThrow().times(BigDecimal.TWO)).hasToString("2Gi");
  }
}
