package dev.sluice.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Rules over one schema that has a field of every type. */
class RulesTest {
  private static final String FIELDS =
      """
      type: object
      properties:
        spec:
          type: object
          x-kubernetes-validations: [{rule: RULE}]
          properties:
            size: {type: integer}
            share: {type: number}
            name: {type: string}
            on: {type: boolean}
            port: {x-kubernetes-int-or-string: true}
            since: {type: string, format: date-time}
            wait: {type: string, format: duration}
            raw: {type: string, format: byte}
            note: {type: string, nullable: true}
            labels: {type: object, additionalProperties: {type: string}}
            plain: {type: array, items: {type: string}}
            numbers: {type: array, items: {type: integer}}
            tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
            parts:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [id]
              items:
                type: object
                required: [id]
                properties: {id: {type: string}, count: {type: integer}}
            a.b-c/d: {type: string}
            namespace: {type: string}
            in: {type: string}
            a__b: {type: string}
            free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  record Case(String rule, String spec, boolean want) {
    @Override
    public String toString() {
      return rule + " for " + spec;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("self.size > 1", "{size: 2}", true),
          new Case("self.size > 1", "{size: 1}", false),
          new Case("self.size > 1", "{}", false),
          new Case("!has(self.size) || self.size > 1", "{}", true),
          new Case("has(self.size) ? self.size == 2 : true", "{size: 3}", false),
          new Case("self.size > 0.5", "{size: 1}", true),
          new Case("self.share == 2.0", "{share: 2}", true),
          new Case("self.share < self.size", "{share: 0.5, size: 1}", true),
          new Case("self.on", "{on: true}", true),
          new Case("self.port == 80", "{port: 80}", true),
          new Case("self.port == '80%'", "{port: 80%}", true),
          new Case("type(self.port) == int && self.port > 3", "{port: 5}", true),
          new Case("type(self.port) == string", "{port: 5}", false),
          new Case(
              "self.since > timestamp('2026-01-01T00:00:00Z')",
              "{since: '2026-06-01T00:00:00Z'}",
              true),
          new Case("self.wait <= duration('1h')", "{wait: 61m}", false),
          new Case("self.raw == b'abc'", "{raw: YWJj}", true),
          new Case("has(self.note)", "{}", false),
          new Case("self.labels.all(k, k.startsWith('a'))", "{labels: {ab: x, ac: y}}", true),
          new Case("self.labels['a'] == 'x' && 'b' in self.labels", "{labels: {a: x}}", false),
          new Case("self.labels.exists(k, self.labels[k] == 'y')", "{labels: {a: y}}", true),
          new Case("self.plain == ['a', 'b']", "{plain: [b, a]}", false),
          new Case("self.tags == ['a', 'b']", "{tags: [b, a]}", true),
          new Case("self.tags != ['a', 'c']", "{tags: [b, a]}", true),
          new Case("size(self.tags + self.tags) == 2", "{tags: [b, a]}", true),
          new Case("self.parts.map(p, p.id) == ['a', 'b']", "{parts: [{id: a}, {id: b}]}", true),
          new Case("self.parts.filter(p, p.id == 'a').size() == 1", "{parts: [{id: a}]}", true),
          new Case("self.parts.exists_one(p, p.count == 1)", "{parts: [{id: a, count: 1}]}", true),
          new Case(
              "self.numbers.sum() == 6 && self.numbers.max() == 3", "{numbers: [1, 2, 3]}", true),
          new Case(
              "self.numbers.isSorted() && self.numbers.min() == 1", "{numbers: [2, 1]}", false),
          new Case("self.numbers.indexOf(2) == 1", "{numbers: [1, 2]}", true),
          new Case("self.numbers.lastIndexOf(2) == 2", "{numbers: [2, 1, 2]}", true),
          new Case("sets.contains(self.plain, ['a'])", "{plain: [b, a]}", true),
          new Case("self.plain.distinct().size() == 1", "{plain: [a, a]}", true),
          new Case("self.name.matches('^a+$')", "{name: aaa}", true),
          new Case("self.name.find('[0-9]+') == '12'", "{name: a12b3}", true),
          new Case("self.name.findAll('[0-9]') == ['1', '2']", "{name: a1b2}", true),
          new Case("self.name.findAll('[0-9]', 1).size() == 1", "{name: a1b2}", true),
          new Case("self.name.lowerAscii().split('-')[1] == 'b'", "{name: A-B}", true),
          new Case("self.name.substring(1).indexOf('c') == 1", "{name: abc}", true),
          new Case(
              "'%s is %d'.format([self.name, self.size]) == 'a is 1'", "{name: a, size: 1}", true),
          new Case("quantity(self.name).isGreaterThan(quantity('1Gi'))", "{name: 1025Mi}", true),
          new Case(
              "quantity(self.name).add(quantity('500m')).asInteger() == 2", "{name: 1500m}", true),
          new Case("isQuantity(self.name)", "{name: 1x}", false),
          new Case("url(self.name).getHost() == 'a.b:8080'", "{name: 'http://a.b:8080/c'}", true),
          new Case("isURL(self.name)", "{name: 'a b'}", false),
          new Case("self.?name.orValue('none') == 'none'", "{}", true),
          new Case("self.?name.hasValue()", "{name: x}", true),
          new Case("self.labels[?'a'].orValue('b') == 'b'", "{labels: {}}", true),
          new Case("self.numbers.all(i, n, n > i)", "{numbers: [1, 2]}", true),
          new Case("self.a__dot__b__dash__c__slash__d == 'x'", "{a.b-c/d: x}", true),
          new Case("self.__namespace__ == 'x'", "{namespace: x}", true),
          new Case("self.namespace == 'x' && has(self.namespace)", "{namespace: x}", true),
          new Case("!has(self.namespace) || size(self.namespace) == 0", "{namespace: x}", false),
          new Case("has(self.namespace) || has(self.__namespace__)", "{}", false),
          new Case("self.__in__ == 'x'", "{in: x}", true),
          new Case("self.a__underscores__b == 'x'", "{a__b: x}", true));

  @ParameterizedTest
  @FieldSource("CASES")
  void holds(Case c) {
    Schema schema = schema(c.rule());
    SchemaRules compiled = SchemaRules.of(schema);
    assertThat(compiled.problems()).isEmpty();

    List<Cause> problems = compiled.rules().problems(Tree.of("spec", yaml(c.spec())));

    assertThat(problems.isEmpty()).as(problems.toString()).isEqualTo(c.want());
    assertThat(problems).allMatch(cause -> cause.field().equals("spec"));
  }

  /** What these would build, or how long they would take, has nothing to do with their input. */
  static final List<String> RUNAWAYS =
      List.of(
          "self.name.replace('','aaaaaaaaaa').replace('','aaaaaaaaaa').replace('','aaaaaaaaaa')"
              + ".replace('','aaaaaaaaaa').replace('','aaaaaaaaaa').replace('','aaaaaaaaaa')"
              + ".replace('','aaaaaaaaaa').replace('','aaaaaaaaaa') != ''",
          "[self.name]" + ".map(x, x + x)".repeat(30) + " != []",
          "[b'abc']" + ".map(x, x + x)".repeat(30) + " != []",
          "[[self.size]]" + ".map(x, x + x)".repeat(30) + " != []",
          "[[self.size]]" + ".map(x, [x, x])".repeat(30) + " == [[]]",
          "[[self.size]]" + ".map(x, [x, x])".repeat(30) + ".flatten(100) == []",
          "[self.name]" + ".map(x, [x, x].join(x))".repeat(20) + " != []",
          "[self.name]" + ".map(x, '%s%s%s'.format([x, x, x]))".repeat(20) + " != []",
          "[self.name]" + ".map(x, x.split('').join(x))".repeat(10) + " != []",
          "[self.name]" + ".map(x, strings.quote('\"' + x + '\"'))".repeat(40) + " != []",
          "'%.999999999f'.format([self.share]) == ''",
          "'%.99999999999f'.format([self.share]) == ''",
          "lists.range(100000).all(x, [" + "1,".repeat(5000) + "1].size() > 0)",
          "self.name.matches('(a{1,1000})' + '{1,1000}')",
          "lists.range(100000).all(x, !self.name.matches('(a?){900}b'))",
          "quantity('1e999999999').add(quantity('1')).isGreaterThan(quantity('1'))",
          "self.name.replace('a', self.name).replace('a', self.name).replace('a', self.name)"
              + ".replace('a', self.name).replace('a', self.name) == ''");

  @ParameterizedTest
  @FieldSource("RUNAWAYS")
  void isStoppedBeforeItBuildsMuch(String rule) {
    SchemaRules compiled = SchemaRules.of(schema(rule));
    assertThat(compiled.problems()).isEmpty();
    Tree object = Tree.of("spec", yaml("{name: " + "a".repeat(40) + ", size: 1, share: 1.5}"));

    List<Cause> problems =
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> compiled.rules().problems(object));

    assertThat(problems).isNotEmpty();
  }

  record Malformed(String rule, String complaint) {}

  static final List<Malformed> MALFORMED =
      List.of(
          new Malformed("self.missing", "undefined field 'missing'"),
          new Malformed("self.free.x == 1", "undefined field 'x'"),
          new Malformed("self.size +", "compilation failed"),
          new Malformed("self.size", "must evaluate to bool"),
          new Malformed("self.in == 'x'", "compilation failed"),
          new Malformed("[1].all(package, package > 0)", "reserved identifier: package"),
          new Malformed("self.name > 3", "no matching overload"),
          new Malformed("nonsense(self.size)", "undeclared reference"),
          new Malformed("self.name.matches('(a{1,1000}){1,1000}')", "at most 10000 instructions"),
          new Malformed("self.name.find('(?=a)b') != ''", "a pattern must be"),
          new Malformed("", "a rule says what must hold"));

  @ParameterizedTest
  @FieldSource("MALFORMED")
  void doesNotCompile(Malformed c) {
    List<Cause> problems = SchemaRules.of(schema(c.rule())).problems();

    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().field())
        .isEqualTo("properties[spec].x-kubernetes-validations[0].rule");
    assertThat(problems.getFirst().message()).contains(c.complaint());
  }

  static Schema schema(String rule) {
    Tree fields = yaml(FIELDS);
    return Schema.customResource(
        fields.with(
            List.of("properties", "spec", "x-kubernetes-validations"),
            List.of(Tree.of("rule", rule))));
  }

  static Tree yaml(String text) {
    return Yaml.parseAll(text).getFirst().asTree();
  }
}
