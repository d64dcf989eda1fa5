package dev.sluice.model.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  @Test
  void manyNamesInDisorderAreSortedAndToldIfTheyStandTwice() {
    String names =
        IntStream.rangeClosed(1, 200)
            .mapToObj(i -> "\"n%03d\":%d".formatted(200 - i, i))
            .collect(Collectors.joining(","));
    List<String> duplicates = new ArrayList<>();

    Value value =
        Json.parse(
            ("{" + names + ",\"n150\":0}").getBytes(StandardCharsets.UTF_8), duplicates::add);

    assertThat(duplicates).containsExactly("n150");
    assertThat(value.asTree().names()).hasSize(200).isSorted();
    assertThat(value.asTree().whole("n150")).hasValue(0);
    assertThat(value.asTree().whole("n199")).hasValue(1);
  }

  @Test
  void everyCharacterIsReadBackAsItWas() {
    for (int character = 0; character <= Character.MAX_VALUE; character++) {
      Value text = new Value.Text("a" + (char) character + "b");

      assertThat(Json.parse(Json.bytes(text))).isEqualTo(text);
    }
  }

  @Test
  void charactersTakeTheirShortestForm() {
    Value text = new Value.Text("\" \\ \n \u0001 ä € \ud83d\ude00");

    assertThat(Json.write(text)).isEqualTo("\"\\\" \\\\ \\n \\u0001 ä € \ud83d\ude00\"");
  }

  @Test
  void aTextLongerThanTheFirstBufferIsReadBack() {
    Value text = new Value.Text("\n€x".repeat(100_000));

    assertThat(Json.parse(Json.bytes(Items.of(List.of(text, text)))))
        .isEqualTo(Items.of(List.of(text, text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"half \ud83d", "half \ud83d half", "\ude00"})
  void halfOfACharacterIsKept(String text) {
    Tree tree = Tree.of("a", text);

    assertThat(Json.parse(Json.bytes(tree))).isEqualTo(tree);
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
