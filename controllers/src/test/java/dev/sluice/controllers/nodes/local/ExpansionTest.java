package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void referencesBecomeValues(String text, String want) {
    var variables = new TreeMap<String, String>();
    variables.put("A", "one");
    variables.put("B", "two");

    assertThat(Expansion.of(text, variables)).isEqualTo(want);
  }
}
