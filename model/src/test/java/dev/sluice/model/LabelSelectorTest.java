package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.LabelRequirement.Operator;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
  private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "", "count", "5");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|true",
        "{matchLabels: {app: web}}|true",
        "{matchLabels: {app: db}}|false",
        "{matchLabels: {app: web, none: x}}|false",
        "{matchLabels: {tier: ''}}|true",
        "{matchExpressions: [{key: app, operator: In, values: [db, web]}]}|true",
        "{matchExpressions: [{key: app, operator: In, values: [db]}]}|false",
        "{matchExpressions: [{key: none, operator: In, values: [x]}]}|false",
        "{matchExpressions: [{key: app, operator: In}]}|false",
        "{matchExpressions: [{key: app, operator: NotIn, values: [db]}]}|true",
        "{matchExpressions: [{key: app, operator: NotIn, values: [web]}]}|false",
        "{matchExpressions: [{key: none, operator: NotIn, values: [x]}]}|true",
        "{matchExpressions: [{key: tier, operator: Exists}]}|true",
        "{matchExpressions: [{key: none, operator: Exists}]}|false",
        "{matchExpressions: [{key: none, operator: DoesNotExist}]}|true",
        "{matchExpressions: [{key: tier, operator: DoesNotExist}]}|false",
        "{matchExpressions: [{key: count, operator: Gt, values: ['4']}]}|false",
        "{matchExpressions: [{key: app, operator: Like, values: [web]}]}|false",
        "{matchLabels: {app: web}, matchExpressions: [{key: none, operator: Exists}]}|false"
      })
  void selectorMatchesWhatMeetsEveryRequirement(String selector, boolean want) {
    var compiled = new LabelSelector(Yaml.parseAll(selector).getFirst().asTree());

    assertThat(compiled.matches(LABELS)).isEqualTo(want);
    assertThat(compiled.matches(Tree.of(LABELS))).isEqualTo(want);
  }

  @ParameterizedTest
  @CsvSource({"5,4,true", "5,5,false", "x,4,false", "-1,-2,true", "9223372036854775808,4,false"})
  void numbersCompareAsFarAsTheyAreNumbers(String label, String bound, boolean greater) {
    var above = new LabelRequirement("count", Operator.GREATER_THAN, List.of(bound));
    var below = new LabelRequirement("count", Operator.LESS_THAN, List.of(label));

    assertThat(new LabelSelector(List.of(above)).matches(Map.of("count", label)))
        .isEqualTo(greater);
    assertThat(new LabelSelector(List.of(below)).matches(Map.of("count", bound)))
        .isEqualTo(greater);
    assertThat(new LabelSelector(List.of(above)).matches(Map.of())).isFalse();
  }

  @Test
  void furtherKeysNarrowTheSelectorAsFarAsTheLabelsAreThere() {
    var selector = new LabelSelector(Tree.of("matchLabels", Tree.of("app", "web")));

    assertThat(selector.and(List.of("none"), Operator.IN, LABELS)).isEqualTo(selector);
    assertThat(selector.and(List.of("count"), Operator.IN, LABELS).matches(LABELS)).isTrue();
    assertThat(selector.and(List.of("count"), Operator.NOT_IN, LABELS).matches(LABELS)).isFalse();
  }

  @Test
  void labelThatIsNoStringIsMissing() {
    var selector =
        new LabelSelector(
            Yaml.parseAll("matchExpressions: [{key: n, operator: Exists}]").getFirst().asTree());

    assertThat(selector.matches(Tree.of("n", 1))).isFalse();
  }
}
