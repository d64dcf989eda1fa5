package dev.sluice.apiserver.cel;

import static dev.sluice.apiserver.cel.RulesTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** When rules run on updates, and how they tell what is wrong. */
class TransitionTest {
  private static final String KEEP = "[{rule: self == oldSelf, message: is immutable}]";

  record Case(String name, String schema, String before, String after, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String field(String schema) {
    return "{type: object, properties: {x: " + schema + "}}";
  }

  private static String list(String type, String rules) {
    return field(
        """
        {type: array, x-kubernetes-list-type: %s, %s
         items: {type: object, x-kubernetes-map-type: %s, required: [id], properties: {id: {type: string},
           n: {type: integer, x-kubernetes-validations: %s}}}}\
        """
            .formatted(
                type,
                type.equals("map") ? "x-kubernetes-list-map-keys: [id]," : "",
                type.equals("set") ? "atomic" : "granular",
                rules));
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "a field that changed",
              field("{type: integer, x-kubernetes-validations: " + KEEP + "}"),
              "{x: 1}",
              "{x: 2}",
              List.of("x")),
          new Case(
              "a field that was not there has nothing to compare with",
              field("{type: integer, x-kubernetes-validations: " + KEEP + "}"),
              "{}",
              "{x: 2}",
              List.of()),
          new Case(
              "a rule about change below what did not change",
              field(
                  "{type: object, properties: {n: {type: integer, x-kubernetes-validations: [{rule:"
                      + " self != oldSelf}]}}}"),
              "{x: {n: 1}, y: 1}",
              "{x: {n: 1}, y: 2}",
              List.of("x.n")),
          new Case(
              "a value of a map",
              field(
                  "{type: object, additionalProperties: {type: integer, x-kubernetes-validations: "
                      + KEEP
                      + "}}"),
              "{x: {a: 1, b: 1}}",
              "{x: {a: 1, b: 2, c: 3}}",
              List.of("x[b]")),
          new Case(
              "an element with a key is found wherever it stands",
              list("map", KEEP),
              "{x: [{id: a, n: 1}, {id: b, n: 2}]}",
              "{x: [{id: b, n: 3}, {id: a, n: 1}]}",
              List.of("x[0].n")),
          new Case(
              "a list with keys equals itself in another order",
              field(
                  """
                  {type: array, x-kubernetes-validations: [{rule: self == oldSelf}], x-kubernetes-list-type: map,
                   x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties:
                   {id: {type: string}, n: {type: integer}}}}\
                  """),
              "{x: [{id: a, n: 1}, {id: b}]}",
              "{x: [{id: b}, {id: a, n: 1}]}",
              List.of()),
          new Case(
              "what was wrong before and did not change is forgiven",
              "{type: object, properties: {x: {type: integer, x-kubernetes-validations: [{rule:"
                  + " self > 1}]}, y: {type: integer}}}",
              "{x: 1}",
              "{x: 1, y: 2}",
              List.of()),
          new Case(
              "what was wrong before and is wrong in another way is not",
              field("{type: integer, x-kubernetes-validations: [{rule: self > 1}]}"),
              "{x: 1}",
              "{x: 0}",
              List.of("x")),
          new Case(
              "an optional old value is there on updates",
              field(
                  "{type: integer, x-kubernetes-validations: [{rule: 'oldSelf.hasValue() &&"
                      + " oldSelf.value() < self', optionalOldSelf: true}]}"),
              "{x: 1}",
              "{x: 2}",
              List.of()),
          new Case(
              "and absent without one",
              field(
                  "{type: integer, x-kubernetes-validations: [{rule: oldSelf.hasValue(),"
                      + " optionalOldSelf: true}]}"),
              "{}",
              "{x: 2}",
              List.of("x")));

  @ParameterizedTest
  @FieldSource("CASES")
  void runs(Case c) {
    SchemaRules compiled = compiled(c.schema());
    assertThat(compiled.problems()).isEmpty();

    List<Cause> problems = compiled.rules().problems(yaml(c.before()), yaml(c.after()));

    assertThat(problems).extracting(Cause::field).isEqualTo(c.want());
  }

  @Test
  void aTransitionRuleDoesNotRunWhenAnObjectIsCreated() {
    SchemaRules compiled =
        compiled(field("{type: integer, x-kubernetes-validations: " + KEEP + "}"));

    assertThat(compiled.rules().problems(yaml("{x: 1}"))).isEmpty();
  }

  @Test
  void anOldValueCannotBeNamedWhereNobodyCanTellWhichItWas() {
    for (String type : List.of("atomic", "set")) {
      List<Cause> problems = compiled(list(type, KEEP)).problems();

      assertThat(problems)
          .singleElement()
          .satisfies(cause -> assertThat(cause.message()).contains("oldSelf cannot be used"))
          .satisfies(cause ->
              assertThat(cause.field())
                  .isEqualTo("properties[x].items.properties[n].x-kubernetes-validations[0].rule"));
    }
  }

  record Told(String rule, String reason, String field, String message) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static final List<Told> TOLD =
      List.of(
          new Told(
              "{rule: self.a > 1}",
              "FieldValueInvalid",
              "x",
              "Invalid value: \"object\": failed rule: self.a > 1"),
          new Told(
              "{rule: self.a > 1, message: 'a is small', reason: FieldValueForbidden, fieldPath:"
                  + " .a}",
              "FieldValueForbidden",
              "x.a",
              "Forbidden: a is small"),
          new Told(
              "{rule: self.a > 1, reason: FieldValueRequired, message: more, fieldPath: \"['a']\"}",
              "FieldValueRequired",
              "x.a",
              "Required value: more"),
          new Told(
              "{rule: self.a > 1, messageExpression: \"'a is ' + string(self.a)\", message: m}",
              "FieldValueInvalid",
              "x",
              "Invalid value: \"object\": a is 1"),
          new Told(
              "{rule: self.a > 1, messageExpression: \"string(self.b)\", message: m}",
              "FieldValueInvalid",
              "x",
              "Invalid value: \"object\": m"),
          new Told(
              "{rule: self.b > 1, message: m}", "FieldValueInvalid", "x", "evaluating rule: m"));

  @ParameterizedTest
  @FieldSource("TOLD")
  void tells(Told c) {
    SchemaRules compiled =
        compiled(
            field(
                "{type: object, x-kubernetes-validations: ["
                    + c.rule()
                    + "], properties: {a: {type: integer}, b: {type: integer}}}"));
    assertThat(compiled.problems()).isEmpty();

    Cause cause = compiled.rules().problems(yaml("{x: {a: 1}}")).getFirst();

    assertThat(cause.reason()).isEqualTo(c.reason());
    assertThat(cause.field()).isEqualTo(c.field());
    assertThat(cause.message()).contains(c.message());
  }

  @Test
  void aRuleThatNeverEndsIsStopped() {
    String runaway = "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))";
    SchemaRules compiled =
        compiled(
            field(
                "{type: array, x-kubernetes-validations: [{rule: '"
                    + runaway
                    + "'}], items: {type: integer}}"));
    List<Integer> numbers = Collections.nCopies(1000, 1);

    List<Cause> problems = compiled.rules().problems(Tree.of("x", numbers));

    assertThat(problems)
        .singleElement()
        .satisfies(cause -> assertThat(cause.message()).contains("costs more than 1000000 steps"));
  }

  @Test
  void aRuleThatSearchesALongListAgainAndAgainIsStopped() {
    SchemaRules compiled =
        compiled(
            field(
                "{type: array, x-kubernetes-validations: [{rule: 'self.all(a, a in self)'}], items:"
                    + " {type: integer}}"));
    List<Integer> few = Collections.nCopies(100, 1);
    List<Integer> many = Collections.nCopies(10_000, 1);

    assertThat(compiled.rules().problems(Tree.of("x", few))).isEmpty();
    assertThat(compiled.rules().problems(Tree.of("x", many))).hasSize(1);
  }

  private static SchemaRules compiled(String schema) {
    return SchemaRules.of(Schema.customResource(yaml(schema)));
  }
}
