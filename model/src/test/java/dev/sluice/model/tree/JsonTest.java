package dev.sluice.model.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"b\":[true,false,null,\"x\"],\"c\":{}}",
        "{\"big\":18446744073709551616,\"small\":1.50}",
        "\"quote \\\" and \\u0001 and ü\"",
        "[]",
        "-9223372036854775808"
      })
  void givesBackWhatItWasGiven(String json) {
    Value once = Json.parse(json);

    assertThat(Json.parse(Json.write(once))).isEqualTo(once);
    assertThat(Json.parse(Json.writePretty(once))).isEqualTo(once);
  }

  @Test
  void equalTreesAreWrittenAsEqualBytes() {
    assertThat(Json.write(Json.parse("{\"b\":1,\"a\":2}")))
        .isEqualTo(Json.write(Json.parse("{ \"a\": 2, \"b\": 1 }")))
        .isEqualTo("{\"a\":2,\"b\":1}");
  }

  @Test
  void decimalsKeepTheirDigits() {
    assertThat(Json.write(Json.parse("{\"a\":1.50}"))).isEqualTo("{\"a\":1.50}");
  }

  @Test
  void namesThatStandTwiceAreToldByPath() {
    List<String> duplicates = new ArrayList<>();

    Json.parse(
        "{\"spec\":{\"items\":[{\"x\":1,\"x\":2}]},\"spec\":{}}".getBytes(StandardCharsets.UTF_8),
        duplicates::add);

    assertThat(duplicates).containsExactly("spec.items[0].x", "spec");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\":}", "{} {}", "nul", "[1,]"})
  void refusesWhatIsNotJson(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(MalformedText.class);
  }

  @Test
  void refusesWhatIsNestedTooDeep() {
    assertThatThrownBy(() -> Json.parse("[".repeat(10_000))).isInstanceOf(MalformedText.class);
  }
}
