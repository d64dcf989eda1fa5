package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class ExpansionTest {

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "$(A), one",
    "x$(A)y$(B)z, xoneytwoz",
    "$(MISSING), $(MISSING)",
    "$$(A), $(A)",
    "$$$(A), $one",
    "$$$$(A), $$(A)",
    "$A, $A",
    "$(A, $(A",
    "$, $",
    "$(), $()",
    "a$$, a$",
  })
  void referencesBecomeValues(String text, String want) throws MissingException {
    var variables = new TreeMap<String, String>();
    variables.put("A", "one");
    variables.put("B", "two");

    assertThat(new Expansion().of(text, variables)).isEqualTo(want);
  }

  @Test
  void whatDoublesWithEveryVariableIsRefusedInTime() {
    var expansion = new Expansion();
    var variables = new TreeMap<String, String>();
    variables.put("V0", "ha");

    assertThatThrownBy(
            () -> {
              for (int i = 1; i < 60; i++) {
                String twice = "$(V%d)$(V%d)".formatted(i - 1, i - 1);
                variables.put("V" + i, expansion.of(twice, variables));
              }
            })
        .isInstanceOf(MissingException.class)
        .hasMessageContaining("longer than 6291456 characters")
        .hasMessageContaining("give large values in files of volumes");
    assertThat(variables).hasSizeLessThan(25);
  }

  static final List<String> ENDLESS =
      List.of("a".repeat(1 << 20), "$".repeat(1 << 20), "$(".repeat(1 << 19), "(".repeat(1 << 20));

  @ParameterizedTest
  @FieldSource("ENDLESS")
  @Timeout(5)
  void aLongTextTakesNoLongerThanItIsLong(String text) throws MissingException {
    assertThat(new Expansion().of(text, new TreeMap<>())).hasSizeLessThanOrEqualTo(1 << 20);
  }
}
