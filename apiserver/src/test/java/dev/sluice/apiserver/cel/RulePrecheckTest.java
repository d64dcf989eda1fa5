package dev.sluice.apiserver.cel;

import static dev.sluice.apiserver.cel.RulesTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A glance never says that a rule holds where the interpreter would say otherwise. */
class RulePrecheckTest {
  private static final Schema SCHEMA =
      Schema.customResource(
          yaml(
              """
              type: object
              properties:
                name: {type: string}
                other: {type: string}
                wait: {type: string, format: duration}
                size: {type: integer}
                limit: {type: integer}
                share: {type: number}
                on: {type: boolean}
                port: {x-kubernetes-int-or-string: true}
                note: {type: string, nullable: true}
                list: {type: array, items: {type: integer}}
                labels: {type: object, additionalProperties: {type: string}}
                below: {type: object, properties: {name: {type: string}, size: {type: integer}}}
              """));
  private static final SchemaTypes TYPES = new SchemaTypes(SCHEMA);
  private static final CelCompiler COMPILER =
      Environment.compiler(TYPES.provider())
          .toCompilerBuilder()
          .addVar("self", TYPES.of(SCHEMA).orElseThrow())
          .addVar("oldSelf", TYPES.of(SCHEMA).orElseThrow())
          .build();

  record Case(String rule, String before, String after, boolean want) {
    @Override
    public String toString() {
      return rule + " from " + before + " to " + after;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("!has(self.name)", "{}", "{}", true),
          new Case("!has(self.name)", "{}", "{name: a}", false),
          new Case("!has(self.below.name)", "{}", "{below: {}}", true),
          new Case("!has(self.below.name)", "{}", "{}", false),
          new Case("has(self.note)", "{}", "{note: null}", false),
          new Case("self.name == oldSelf.name", "{name: a}", "{name: a}", true),
          new Case("self.name == oldSelf.name", "{name: a}", "{name: b}", false),
          new Case("self.below == oldSelf.below", "{below: {size: 1}}", "{below: {size: 1}}", true),
          new Case("self.name != 'a'", "{}", "{name: b}", true),
          new Case("self.wait != oldSelf.wait", "{wait: 1s}", "{wait: 1000ms}", false),
          new Case("self.port != 'a'", "{}", "{port: 1}", true),
          new Case("self.size <= self.limit", "{}", "{size: 1, limit: 1}", true),
          new Case("self.size <= self.limit", "{}", "{size: 1}", false),
          new Case("size(self.list) == 2", "{}", "{list: [1, 2]}", true),
          new Case("size(self.list) < 2", "{}", "{list: [1]}", true),
          new Case("has(self.name) ? self.name == 'a' : true", "{}", "{}", true),
          new Case("!has(self.name) || self.list.all(i, i > 0)", "{}", "{list: [0]}", true),
          new Case("self.list.all(i, i > 0) || !has(self.name)", "{}", "{list: [0]}", true),
          new Case("self.list.all(i, i > 0)", "{}", "{list: [1]}", false));

  @ParameterizedTest
  @FieldSource("CASES")
  void tellsWhatIsPlain(Case given) throws Exception {
    CelAbstractSyntaxTree rule = COMPILER.compile(given.rule()).getAst();

    assertThat(
            new RulePrecheck(rule.getExpr(), SCHEMA)
                .holds(yaml(given.after()), yaml(given.before())))
        .isEqualTo(given.want());
  }

  @Test
  void agreesWithTheInterpreter() throws Exception {
    var random = new Random(7);
    int plain = 0;
    for (int i = 0; i < 120; i++) {
      String text = condition(random, 3);
      CelAbstractSyntaxTree rule = COMPILER.compile(text).getAst();
      var glance = new RulePrecheck(rule.getExpr(), SCHEMA);
      for (int j = 0; j < 60; j++) {
        Tree before = object(random);
        Tree after = random.nextInt(3) == 0 ? before : object(random);
        if (glance.holds(after, before)) {
          plain++;
          assertThat(interpreted(rule, after, before))
              .as("%s from %s to %s", text, before, after)
              .isTrue();
        }
      }
    }
    assertThat(plain).isGreaterThan(1000);
  }

  private static boolean interpreted(CelAbstractSyntaxTree rule, Tree after, Tree before) {
    try {
      return CompiledExpression.of(rule)
          .program()
          .eval(
              Map.of(
                  "self", CustomValues.of(SCHEMA, after),
                  "oldSelf", CustomValues.of(SCHEMA, before)))
          .equals(true);
    } catch (CelEvaluationException failed) {
      return false;
    }
  }

  private static String condition(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      String one = condition(random, depth - 1);
      String other = condition(random, depth - 1);
      return switch (random.nextInt(5)) {
        case 0 -> "(" + one + " && " + other + ")";
        case 1 -> "!" + one;
        case 2 -> "(" + one + " ? " + other + " : " + condition(random, depth - 1) + ")";
        default -> "(" + one + " || " + other + ")";
      };
    }
    String self = random.nextBoolean() ? "self" : "oldSelf";
    return "("
        + List.of(
                "has(S.name)",
                "has(S.below.size)",
                "has(S.note)",
                "has(S.labels.a)",
                "S.name == 'a'",
                "S.port == 'a'",
                "S.note != 'a'",
                "S.below.name != S.name",
                "self.wait == oldSelf.wait",
                "self.list == oldSelf.list",
                "self.below == oldSelf.below",
                "self.share == oldSelf.share",
                "S.size < S.limit",
                "S.size >= S.below.size",
                "S.share > 1.0",
                "S.on",
                "S.on == has(S.name)",
                "size(S.list) <= 1",
                "size(S.name) > 1",
                "S.labels.a == 'a'",
                "S.list.exists(i, i > 1)")
            .get(random.nextInt(21))
            .replace("S.", self + ".")
        + ")";
  }

  private static Tree object(Random random) {
    var fields = new ArrayList<String>();
    for (String field :
        List.of(
            "name: a",
            "name: bb",
            "wait: 1s",
            "wait: 1000ms",
            "size: 1",
            "size: 2",
            "limit: 2",
            "share: 1",
            "share: 1.0",
            "on: true",
            "on: false",
            "port: 5",
            "port: a",
            "note: null",
            "list: [1]",
            "list: [1, 2]",
            "labels: {a: a}",
            "below: {name: a}",
            "below: {size: 1}")) {
      String name = field.substring(0, field.indexOf(':') + 1);
      if (random.nextInt(3) == 0 && fields.stream().noneMatch(known -> known.startsWith(name))) {
        fields.add(field);
      }
    }
    return yaml("{" + String.join(", ", fields) + "}");
  }
}
