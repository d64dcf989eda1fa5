package dev.sluice.kubernetes.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.patch.JsonPatch;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PatchOperationsTest {

  record Case(String name, String before, String after, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("nothing changes", "{\"a\": {\"b\": [1]}}", "{\"a\": {\"b\": [1]}}", "[]"),
          new Case(
              "a field is added",
              "{\"spec\": {}}",
              "{\"spec\": {\"suspend\": true}}",
              "[{\"op\":\"add\",\"path\":\"/spec/suspend\",\"value\":true}]"),
          new Case(
              "a field is changed",
              "{\"a\": 1}",
              "{\"a\": \"1\"}",
              "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":\"1\"}]"),
          new Case(
              "a field is removed",
              "{\"a\": 1, \"b\": 2}",
              "{\"b\": 2}",
              "[{\"op\":\"remove\",\"path\":\"/a\"}]"),
          new Case(
              "a list is replaced as a whole",
              "{\"a\": [1, 2]}",
              "{\"a\": [1, 2, 3]}",
              "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":[1,2,3]}]"),
          new Case(
              "a tree takes the place of a list",
              "{\"a\": []}",
              "{\"a\": {}}",
              "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":{}}]"),
          new Case(
              "names with the pointer's own signs",
              "{\"labels\": {\"x/y~z\": \"1\"}}",
              "{\"labels\": {\"x/y~z\": \"2\"}}",
              "[{\"op\":\"replace\",\"path\":\"/labels/x~1y~0z\",\"value\":\"2\"}]"));

  @ParameterizedTest
  @FieldSource("CASES")
  void turnOneTreeIntoTheOther(Case c) {
    Tree before = Json.parse(c.before()).asTree();
    Tree after = Json.parse(c.after()).asTree();

    var patch = PatchOperations.between(before, after);

    assertThat(Json.write(patch)).isEqualTo(c.want());
    assertThat(JsonPatch.apply(before, patch)).isEqualTo(after);
  }
}
