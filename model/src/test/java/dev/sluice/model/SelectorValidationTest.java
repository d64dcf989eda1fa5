package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SelectorValidationTest {

  record Case(String selector, List<String> want) {}

  static final List<Case> CASES =
      List.of(
          new Case("{matchLabels: {app: web, example.com/zone: ''}}", List.of()),
          new Case("{matchExpressions: [{key: app, operator: In, values: [web]}]}", List.of()),
          new Case("{matchExpressions: [{key: app, operator: DoesNotExist}]}", List.of()),
          new Case("{matchLabels: {-app: web!}}", List.of("s.matchLabels", "s.matchLabels")),
          new Case(
              "{matchExpressions: [{key: app, operator: NotIn}]}",
              List.of("s.matchExpressions[0].values")),
          new Case(
              "{matchExpressions: [{key: app, operator: Exists, values: [web]}]}",
              List.of("s.matchExpressions[0].values")),
          new Case(
              "{matchExpressions: [{key: app, operator: Exists}, {key: -, operator: Gt, values:"
                  + " ['1']}]}",
              List.of(
                  "s.matchExpressions[1].operator",
                  "s.matchExpressions[1].values",
                  "s.matchExpressions[1].key")));

  @ParameterizedTest
  @FieldSource("CASES")
  void selectorIsHeldToTheRules(Case c) {
    var errors = new ValidationErrors();

    SelectorValidation.check("s", Yaml.parseAll(c.selector()).getFirst().asTree(), errors);

    assertThat(errors.causes()).extracting(Cause::field).isEqualTo(c.want());
  }

  @Test
  void callerChoosesTheWords() {
    var errors = new ValidationErrors();

    SelectorValidation.check(
        "s",
        Yaml.parseAll("matchExpressions: [{key: app, operator: In}]").getFirst().asTree(),
        errors,
        (field, expression, problems) ->
            problems.required(field, expression.operator() + " " + expression.values()));

    assertThat(errors.causes())
        .containsExactly(Cause.required("s.matchExpressions[0]", "In MISSING"));
  }
}
