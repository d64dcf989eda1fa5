package dev.sluice.controllers.nodes.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sluice.model.bounds.ExceededException;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
  private static final Moment MOMENT =
      new Moment(Instant.EPOCH, Instant.EPOCH, new SplittableRandom(1));
  private static final Tree OBJECT =
      Yaml.parseAll(
              """
              metadata: {name: p, annotations: {"a.b/c": x}, ownerReferences: [{kind: Job}, {kind: Pod}]}
              spec: {n: 3, flag: false, nothing: null}
              status:
                conditions: [{type: Ready, status: "True"}, {type: Other, status: "False"}]
              """)
          .getFirst()
          .asTree();

  /**
   * @param simple whether the tree is walked as it is
   */
  record Case(String program, boolean simple, String want) {}

  static final List<Case> FOUND =
      List.of(
          new Case(".metadata.name", true, "[\"p\"]"),
          new Case(" .metadata.missing.deeper ", true, "[]"),
          new Case(".spec.nothing", true, "[]"),
          new Case(".spec.flag", true, "[false]"),
          new Case(".spec.n", true, "[3]"),
          new Case(".metadata.annotations[\"a.b/c\"]", true, "[\"x\"]"),
          new Case(".metadata.annotations.[\"a.b/c\"]", true, "[\"x\"]"),
          new Case(".metadata.ownerReferences[].kind", true, "[\"Job\",\"Pod\"]"),
          new Case(".metadata.ownerReferences.[].kind", true, "[\"Job\",\"Pod\"]"),
          new Case(".metadata.ownerReferences[1].kind", true, "[\"Pod\"]"),
          new Case(".metadata.ownerReferences[7].kind", true, "[]"),
          new Case(
              ".status.conditions.[] | select( .type == \"Ready\" ) | .status", true, "[\"True\"]"),
          new Case(
              ".status.conditions[] | select(.type != \"Ready\") | .status", true, "[\"False\"]"),
          new Case(".status.nothing[] | select(.type == \"Ready\")", true, "[]"),
          new Case(".metadata.name.deeper", true, "[]"),
          new Case(".metadata.annotations | keys | .[0]", false, "[\"a.b/c\"]"),
          new Case(".spec.n + 1", false, "[4]"),
          new Case(".spec.n > 2", false, "[true]"),
          new Case("[.status.conditions.[] | select(.status == \"True\")] | length", false, "[1]"),
          new Case(".metadata.name + \".[\"", false, "[\"p.[\"]"),
          new Case(".spec.nothing // \"else\"", false, "[\"else\"]"),
          new Case(".metadata.name | error", false, "[]"),
          new Case(".spec.n % 0", false, "[]"),
          new Case(".spec.n / 0", false, "[]"),
          new Case(".metadata.name | test(\"^P$\")", false, "[false]"),
          new Case(".metadata.name | test(\"^P$\"; \"i\")", false, "[true]"),
          new Case(".spec.n | test(\"3\")", false, "[]"),
          new Case("[.metadata.ownerReferences[] | .kind] | join(\",\")", false, "[\"Job,Pod\"]"),
          new Case(".status.conditions | map(.type) | index(\"Other\")", false, "[1]"),
          new Case(".metadata.name != \"now | range(1) # =\"", false, "[true]"),
          new Case(".spec.now", true, "[]"));

  @ParameterizedTest
  @FieldSource("FOUND")
  void finds(Case c) {
    Expression expression = Expression.jq(c.program());

    assertThat(expression instanceof PathExpression).isEqualTo(c.simple());
    assertThat(new Items(expression.evaluate(OBJECT, MOMENT))).hasToString(c.want());
  }

  @ParameterizedTest
  @FieldSource("FOUND")
  void theShortWayFindsWhatJqFinds(Case c) {
    List<Value> byJq = JqExpression.compile(c.program()).evaluate(OBJECT, MOMENT);

    assertThat(Expression.jq(c.program()).evaluate(OBJECT, MOMENT)).isEqualTo(byJq);
  }

  @ParameterizedTest
  @ValueSource(strings = {".a b", "|", ".a[", "nonsense(1)"})
  void refusesWhatIsNoProgram(String program) {
    assertThatThrownBy(() -> Expression.jq(program).evaluate(OBJECT, MOMENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it is no jq program");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "now",
        "env.HOME",
        "$ENV.HOME",
        "input",
        ".a[100000000] = 1",
        ".a |= 1",
        ".a += 1"
      })
  void refusesWhatLooksOutside(String program) {
    assertThatThrownBy(() -> Expression.jq(program))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("may only look at the object");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def f: f; f",
        "range(1e18)",
        "\"\\(range(1e18))\"",
        "[1, 2] | combinations(60)",
        "reduce .[] as $i (.; [., .])",
        "foreach .[] as $i (.; [., .])",
        "walk(.)",
        "\"x\" * 1000000000",
        "[..] as $a | $a[] as $x | $a[] as $y | $a[] as $z | 1",
        ".[] + .[] + .[] + .[] + .[]",
        "map(map(map(map(map(.)))))",
        ". | .+. | .+. | .+. | .+. | .+. | .+. | .+.",
        "[.,.]|[.,.]|[.,.]|[.,.]|[.,.]|[.,.]|[.,.]",
        ".a | gsub(\"(a+)+$\"; \"\")"
      })
  void refusesWhatDoesMoreThanTheObjectIsLarge(String program) {
    assertThatThrownBy(() -> Expression.jq(program))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only so much as the object is large");
  }

  @Test
  void refusesWhatHidesBehindACommentOrIsTooDeep() {
    assertThatThrownBy(() -> Expression.jq("1 # \"\n | range(1e18) # \""))
        .hasMessageContaining("no comments");
    assertThatThrownBy(() -> Expression.jq("(".repeat(4000)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Expression.jq(".a" + " ".repeat(5000) + "+ 1"))
        .hasMessageContaining("more than 4096 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".metadata.name | test(\"(\")",
        ".metadata.name | test(\"^(a{1,1000}){1,1000}$\")",
        ".metadata.name | test( \"(?=a)b\"; \"i\")"
      })
  void refusesPatternsThatAreTooLargeOrNotOfRe2(String program) {
    assertThatThrownBy(() -> Expression.jq(program))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a regular expression");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[.list[] as $a | .list[] as $b | .list[] as $c | .list[] | $a] | length",
        ".text | (. + .) | (. + .) | (. + .) | length",
        ".text | explode | map(.) | [.[] as $a | .[] | $a] | length",
        ".text | test(\"(a?){900}\" + \"b\")"
      })
  void stopsWhatTakesTooLongForTheObject(String program) {
    Expression expression = Expression.jq(program);
    Tree object = Tree.of("list", Collections.nCopies(1000, 1), "text", "a".repeat(2_000_000));

    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () ->
            assertThatThrownBy(() -> expression.evaluate(object, MOMENT.forStage()))
                .isInstanceOf(ExceededException.class));
  }

  @Test
  @Timeout(10)
  void takesNoTimeOverHardPatterns() {
    Tree object = Tree.of("a", "a".repeat(5000) + "!");

    assertThat(Expression.jq(".a | test(\"^(a+)+$\")").evaluate(object, MOMENT))
        .containsExactly(Value.Flag.FALSE);
    assertThat(Expression.jq(".a | split(\"(a+)+$\"; null)").evaluate(object, MOMENT)).isEmpty();
  }

  static final List<Case> CALCULATED =
      List.of(
          new Case("self.metadata.name", false, "[\"p\"]"),
          new Case("self.spec.n + 1", false, "[4]"),
          new Case("has(self.spec.nothing)", false, "[false]"),
          new Case("self.missing.deeper", false, "[]"),
          new Case("self.spec.n / 0", false, "[]"),
          new Case("duration(\"8760000h\")", false, "[]"),
          new Case("\"a.b/c\" in self.metadata.annotations", false, "[true]"),
          new Case("self.metadata.annotations[\"a.b/c\"]", false, "[\"x\"]"),
          new Case("string(self[\"spec\"][\"n\"]) + \"!\"", false, "[\"3!\"]"),
          new Case(
              "int(\"n\" in self.spec ? self.spec[\"n\"] : \"1\") <= int(\"3\")", false, "[true]"),
          new Case("self.status.conditions[1].type", false, "[\"Other\"]"),
          new Case("self.status.conditions.exists(c, c.type == \"Ready\")", false, "[true]"),
          new Case("self.metadata.name.matches(\"^[a-z]$\")", false, "[true]"),
          new Case("Quantity(\"1Ki\") + Quantity(self.spec.n)", false, "[1027.0]"),
          new Case("[1, 2][1] == 2 && {\"a\": 1}[\"a\"] == 1", false, "[true]"));

  @ParameterizedTest
  @FieldSource("CALCULATED")
  void calculates(Case c) {
    assertThat(new Items(CelExpression.compile(c.program()).evaluate(OBJECT, MOMENT)))
        .hasToString(c.want());
  }
}
