package dev.sluice.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a configuration does to an object, and which fields it speaks of. */
class MergeTest {
  static final Schema SCHEMA =
      Schema.customResource(
          yaml(
              """
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    n: {type: integer}
                    any: {type: object, x-kubernetes-preserve-unknown-fields: true}
                    map: {type: object, additionalProperties: {type: string}}
                    whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {
                      type: string}}
                    list: {type: array, items: {type: string}}
                    set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                    keyed:
                      type: array
                      x-kubernetes-list-type: map
                      x-kubernetes-list-map-keys: [k, p]
                      items:
                        type: object
                        properties:
                          k: {type: string}
                          p: {type: integer, default: 80}
                          v: {type: string}
                status: {type: object, properties: {open: {type: boolean}}}
              """));
  private static final MergeSchema SHAPE = MergeSchema.of(SCHEMA, false);

  static Tree yaml(String text) {
    return Yaml.parseAll(text).getFirst().asTree();
  }

  static Tree spec(String spec) {
    return yaml("{spec: {%s}}".formatted(spec));
  }

  record Case(String name, String object, String configuration, String merged, String fields) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("a value is replaced", "n: 1", "n: 2", "n: 2", "'f:n': {}"),
          new Case("what is not mentioned stays", "n: 1", "", "n: 1", ""),
          new Case(
              "maps merge by key",
              "map: {a: '1', b: '1'}",
              "map: {b: '2', c: '2'}",
              "map: {a: '1', b: '2', c: '2'}",
              "'f:map': {'f:b': {}, 'f:c': {}}"),
          new Case("an empty map is a field", "", "map: {}", "map: {}", "'f:map': {}"),
          new Case("and removes nothing", "map: {a: b}", "map: {}", "map: {a: b}", "'f:map': {}"),
          new Case("nor does a null", "map: {a: b}", "map: null", "map: {a: b}", "'f:map': {}"),
          new Case(
              "an atomic map is replaced",
              "whole: {a: '1', b: '1'}",
              "whole: {b: '2'}",
              "whole: {b: '2'}",
              "'f:whole': {}"),
          new Case("a list is replaced", "list: [a, b]", "list: [c]", "list: [c]", "'f:list': {}"),
          new Case("an empty set has no fields", "set: [a]", "set: []", "set: [a]", ""),
          new Case(
              "what only the object has comes first",
              "set: [e, f]",
              "set: [g]",
              "set: [e, f, g]",
              "'f:set': {'v:\"g\"': {}}"),
          new Case(
              "the configuration says the order of what both have",
              "set: [e, x, f, w]",
              "set: [f, e]",
              "set: [x, f, w, e]",
              "'f:set': {'v:\"f\"': {}, 'v:\"e\"': {}}"),
          new Case(
              "new elements stay before the common one they precede",
              "set: [a, b, c]",
              "set: [n, b, m]",
              "set: [a, n, b, c, m]",
              "'f:set': {'v:\"n\"': {}, 'v:\"b\"': {}, 'v:\"m\"': {}}"),
          new Case(
              "keyed elements merge, and a key has its default",
              "keyed: [{k: a, p: 80, v: '1'}, {k: b, p: 1}]",
              "keyed: [{k: a, v: '2'}, {k: b}]",
              "keyed: [{k: a, p: 80, v: '2'}, {k: b, p: 1}, {k: b}]",
              "'f:keyed': {'k:{\"k\":\"a\",\"p\":80}': {'.': {}, 'f:k': {}, 'f:v': {}},"
                  + " 'k:{\"k\":\"b\",\"p\":80}': {'.': {}, 'f:k': {}}}"),
          new Case(
              "elements with the same keys are one",
              "keyed: [{k: a, v: '1'}, {k: a, v: '2'}, {k: b}]",
              "keyed: [{k: a, v: '3'}]",
              "keyed: [{k: a, v: '3'}, {k: b}]",
              "'f:keyed': {'k:{\"k\":\"a\",\"p\":80}': {'.': {}, 'f:k': {}, 'f:v': {}}}"),
          new Case(
              "what no schema knows merges by its form",
              "any: {a: {b: 1, c: 1}, l: [1]}",
              "any: {a: {b: 2}, l: [2]}",
              "any: {a: {b: 2, c: 1}, l: [2]}",
              "'f:any': {'f:a': {'.': {}, 'f:b': {}}, 'f:l': {}}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void merges(Case c) {
    Tree object = spec(c.object());

    assertThat(Merge.of(SHAPE, object, spec(c.configuration()))).isEqualTo(spec(c.merged()));
    assertThat(Merge.of(SHAPE, object, object)).isEqualTo(object);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void findsTheFields(Case c) {
    Tree wanted = yaml("{'f:spec': {%s}}".formatted(c.fields()));

    FieldSet fields = FieldsOf.value(SHAPE, spec(c.configuration()));

    // An object without anything in it is a field by itself.
    assertThat(fields)
        .isEqualTo(
            FieldSet.parse(
                c.fields().isEmpty() && !c.configuration().isEmpty() ? Tree.EMPTY : wanted));
  }

  record Change(
      String name, String before, String after, String gone, String changed, String come) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Change> CHANGES =
      List.of(
          new Change("nothing", "n: 1", "n: 1", "", "", ""),
          new Change("a value", "n: 1, map: {a: b}", "n: 2, map: {a: b}", "", ".spec.n", ""),
          new Change("a value comes", "", "n: 1", "", "", ".spec.n"),
          new Change("a map comes", "n: 1", "n: 1, map: {a: b}", "", "", ".spec.map .spec.map.a"),
          new Change("an entry goes", "map: {a: b, c: d}", "map: {a: b}", ".spec.map.c", "", ""),
          new Change("a map goes", "n: 1, map: {a: b}", "n: 1", ".spec.map .spec.map.a", "", ""),
          new Change("a null becomes a map", "map: null", "map: {a: b}", "", "", ".spec.map.a"),
          new Change("an empty map comes", "n: 1", "n: 1, map: {}", "", "", ".spec.map"),
          new Change("an atomic map", "whole: {a: b}", "whole: {a: c}", "", ".spec.whole", ""),
          new Change("the order of a list", "list: [a, b]", "list: [b, a]", "", ".spec.list", ""),
          new Change("the order of a set", "set: [a, b]", "set: [b, a]", "", "", ""),
          new Change(
              "an element of a set",
              "set: [a]",
              "set: [b]",
              ".spec.set[=\"a\"]",
              "",
              ".spec.set[=\"b\"]"),
          new Change(
              "an element by its keys",
              "keyed: [{k: a, v: x}]",
              "keyed: [{k: a, v: z, p: 80}]",
              "",
              ".spec.keyed[k=\"a\",p=80].v",
              ".spec.keyed[k=\"a\",p=80].p"),
          new Change(
              "one of several elements with the same keys",
              "keyed: [{k: a, v: x}, {k: a, v: y}]",
              "keyed: [{k: a, v: x}]",
              "",
              ".spec.keyed[k=\"a\",p=80]",
              ""),
          new Change(
              "an object becomes a value", "any: {a: {}}", "any: {a: 1}", "", ".spec.any.a", ""));

  @ParameterizedTest
  @FieldSource("CHANGES")
  void compares(Change c) {
    Comparison comparison = Comparison.of(SHAPE, spec(c.before()), spec(c.after()));

    assertThat(String.join(" ", comparison.removed().paths())).isEqualTo(c.gone());
    assertThat(String.join(" ", comparison.modified().paths())).isEqualTo(c.changed());
    assertThat(String.join(" ", comparison.added().paths())).isEqualTo(c.come());
  }
}
