package dev.sluice.model.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiException;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What both styles of the merge have in common, and where they differ. */
class StrategicMergePatchTest {
  private static final Map<String, String> KEYS = Map.of("pods", "name", "names", "");

  /** Rules that go by the name of a field alone. */
  private record NamedRules(String name) implements MergeRules {
    @Override
    public MergeRules field(String field) {
      return new NamedRules(field);
    }

    @Override
    public MergeRules elements() {
      return new NamedRules("");
    }

    @Override
    public boolean replacesObject() {
      return name.equals("whole");
    }

    @Override
    public boolean mergesList() {
      return KEYS.containsKey(name);
    }

    @Override
    public String mergeKey() {
      return KEYS.getOrDefault(name, "");
    }
  }

  record Case(String name, String target, String patch, String kubernetes, String inPlace) {
    Case(String name, String target, String patch, String want) {
      this(name, target, patch, want, want);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("objects merge", "{a: {b: 1}}", "{a: {c: 2}}", "{a: {b: 1, c: 2}}"),
          new Case("null removes", "{a: {b: 1, c: 2}}", "{a: {b: null}, d: null}", "{a: {c: 2}}"),
          new Case(
              "an object is replaced on request",
              "{a: {b: 1}}",
              "{a: {$patch: replace, c: {d: 2, e: null}}}",
              "{a: {c: {d: 2}}}"),
          new Case("other lists are replaced", "{a: [1, 2]}", "{a: [3]}", "{a: [3]}"),
          new Case(
              "elements merge by their key",
              "{pods: [{name: a, x: 1}, {name: b}]}",
              "{pods: [{name: a, y: 2}]}",
              "{pods: [{name: a, x: 1, y: 2}, {name: b}]}"),
          new Case(
              "an element is deleted",
              "{pods: [{name: a}, {name: b}]}",
              "{pods: [{name: a, $patch: delete}, {name: c, $patch: delete}]}",
              "{pods: [{name: b}]}"),
          new Case(
              "the last element is deleted",
              "{pods: [{name: a}]}",
              "{pods: [{name: a, $patch: delete}]}",
              "{}",
              "{pods: []}"),
          new Case(
              "new elements",
              "{names: [a, b]}",
              "{names: [c]}",
              "{names: [c, a, b]}",
              "{names: [a, b, c]}"),
          new Case(
              "an order of all elements",
              "{pods: [{name: a, x: 1}]}",
              "{$setElementOrder/pods: [{name: b}, {name: a}], pods: [{name: b}]}",
              "{pods: [{name: b}, {name: a, x: 1}]}"),
          new Case(
              "an order of some elements",
              "{names: [x, y, z]}",
              "{$setElementOrder/names: [z, x]}",
              "{names: [y, z, x]}",
              "{names: [z, y, x]}"),
          new Case(
              "a new list with a key twice",
              "{}",
              "{pods: [{name: a, x: 1}, {name: a, y: 2}]}",
              "{pods: [{name: a, x: 1}, {name: a, y: 2}]}",
              "{pods: [{name: a, x: 1, y: 2}]}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void patchMergesInBothStyles(Case c) {
    assertThat(merged(MergeStyle.KUBERNETES, c.target(), c.patch()))
        .isEqualTo(tree(c.kubernetes()));
    assertThat(merged(MergeStyle.IN_PLACE, c.target(), c.patch())).isEqualTo(tree(c.inPlace()));
  }

  static final List<String> MALFORMED =
      List.of(
          "{a: {$patch: burn, b: 1}}",
          "{pods: [{x: 1}]}",
          "{$setElementOrder/pods: {}, pods: []}",
          "{$setElementOrder/names: [a], names: [b]}");

  @ParameterizedTest
  @FieldSource("MALFORMED")
  void malformedPatchIsRefusedOrAppliedAsFarAsItGoes(String patch) {
    String target = "{a: {}, pods: [{name: a}], names: [a]}";

    assertThatThrownBy(() -> merged(MergeStyle.KUBERNETES, target, patch))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("the strategic merge patch cannot be applied: ");
    assertThat(merged(MergeStyle.IN_PLACE, target, patch).names())
        .containsExactly("a", "names", "pods");
  }

  @Test
  void objectThatTheRulesReplaceDoesNotMerge() {
    assertThat(merged(MergeStyle.KUBERNETES, "{whole: {a: 1}}", "{whole: {b: 2}}"))
        .isEqualTo(tree("{whole: {b: 2}}"));
  }

  private static Tree merged(MergeStyle style, String target, String patch) {
    return new StrategicMergePatch(style).apply(tree(target), tree(patch), new NamedRules(""));
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
