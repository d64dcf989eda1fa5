package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SemanticEqualityTest {

  record Case(String name, String one, String other, boolean want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("empty containers are absent", "{a: 1, b: {}, c: []}", "{a: 1}", true),
          new Case("null is absent", "{creationTimestamp: null}", "{}", true),
          new Case(
              "what has only empty fields is absent", "{resources: {requests: {}}}", "{}", true),
          new Case("an empty object is a list's item", "{a: [{}]}", "{a: []}", false),
          new Case("an empty map is no empty list", "{a: {}}", "{a: []}", false),
          new Case("zero is a value", "{a: 0}", "{}", false),
          new Case("items have an order", "{a: [x, y]}", "{a: [y, x]}", false),
          new Case("items are compared by meaning", "{a: [{b: {}}]}", "{a: [{}]}", true),
          new Case(
              "quantities are compared by value",
              "{requests: {cpu: 1000m, memory: 1Gi}}",
              "{requests: {cpu: 1, memory: 1024Mi}}",
              true),
          new Case("quantities differ", "{limits: {cpu: 1}}", "{limits: {cpu: 2}}", false),
          new Case("a quantity of zero is a request", "{requests: {cpu: 0}}", "{}", false),
          new Case(
              "malformed quantities differ", "{requests: {cpu: x}}", "{requests: {cpu: y}}", false),
          new Case("sizes are quantities", "{sizeLimit: 1Gi}", "{sizeLimit: 1024Mi}", true),
          new Case("a size is set", "{sizeLimit: 0}", "{}", false),
          new Case(
              "labels are strings", "{labels: {limits: '1.0'}}", "{labels: {limits: '1'}}", false),
          new Case("an empty selector selects all", "{labelSelector: {}}", "{}", false),
          new Case("an absent selector is null", "{labelSelector: null}", "{}", true),
          new Case("the kind of a volume counts", "{emptyDir: {}}", "{}", false));

  @ParameterizedTest
  @FieldSource("CASES")
  void comparesByMeaning(Case c) {
    Tree one = Yaml.parseAll(c.one()).getFirst().asTree();
    Tree other = Yaml.parseAll(c.other()).getFirst().asTree();

    assertThat(SemanticEquality.holds(one, other)).isEqualTo(c.want());
    assertThat(SemanticEquality.holds(other, one)).isEqualTo(c.want());
  }
}
