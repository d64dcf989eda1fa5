package dev.sluice.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private static final String OPEN_API =
      """
      type: object
      properties:
        metadata: {type: object}
        spec:
          type: object
          properties:
            replicas: {type: integer, default: 1}
            mode: {type: string, nullable: true, default: Fast}
            items:
              type: array
              items: {type: object, properties: {a: {type: string}, p: {type: string, default: TCP}}}
            labels: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}
            free:
              type: object
              x-kubernetes-preserve-unknown-fields: true
              properties: {known: {type: object}}
            embedded:
              type: object
              x-kubernetes-embedded-resource: true
            nested: {type: object, default: {}, properties: {size: {type: integer, default: 3}}}
            empty: {type: object}
      """;

  private final Schema schema = Schema.customResource(tree(OPEN_API));

  @Test
  void unchangedValueIsNotPrunedAgain() {
    Tree before = tree("{spec: {items: [{z: 1}], empty: {q: 1}}}");

    var pruned = schema.prune(tree("{spec: {items: [{z: 1}], empty: {q: 2}, z: 1}}"), before);

    assertThat(pruned.tree()).isEqualTo(tree("{spec: {items: [{z: 1}], empty: {}}}"));
    assertThat(pruned.dropped()).containsExactly("spec.empty.q", "spec.z");
  }

  @Test
  void unknownFieldsArePrunedAndReportedByPath() {
    Tree object =
        tree(
            "{apiVersion: v1, kind: K, metadata: {name: n, odd: 1}, extra: 1, spec: {replicas: 1,"
                + " z: 1, items: [{a: x, z: 1}, {z: 2}], labels: {k: {x: x, y: y}}, empty: {q:"
                + " 1}}}");

    var pruned = schema.prune(object);

    assertThat(pruned.tree())
        .isEqualTo(
            tree(
                "{apiVersion: v1, kind: K, metadata: {name: n, odd: 1}, spec: {replicas: 1, items:"
                    + " [{a: x}, {}], labels: {k: {x: x}}, empty: {}}}"));
    assertThat(pruned.dropped())
        .containsExactly(
            "extra",
            "spec.empty.q",
            "spec.items[0].z",
            "spec.items[1].z",
            "spec.labels.k.y",
            "spec.z");
  }

  @Test
  void preservedNodesKeepWhatIsUnknownButDeclaredNodesInThemArePruned() {
    Tree object =
        tree(
            "{spec: {free: {any: {deep: 1}, known: {z: 1}}, embedded: {kind: K, metadata: {a: 1},"
                + " z: 1}}}");

    var pruned = schema.prune(object);

    assertThat(pruned.tree())
        .isEqualTo(
            tree(
                "{spec: {free: {any: {deep: 1}, known: {}}, embedded: {kind: K, metadata: {a:"
                    + " 1}}}}"));
    assertThat(pruned.dropped()).containsExactly("spec.embedded.z", "spec.free.known.z");
  }

  @Test
  void validValueStaysTheSameTree() {
    Tree object =
        tree("{spec: {replicas: 2, mode: x, items: [{a: x, p: UDP}], nested: {size: 1}}}");

    assertThat(schema.prune(object).tree()).isSameAs(object);
    assertThat(schema.withDefaults(object)).isSameAs(object);
  }

  @Test
  void defaultsFillWhatIsMissingAlsoInsideDefaults() {
    assertThat(schema.withDefaults(tree("{spec: {items: [{}, {p: UDP}]}}")))
        .isEqualTo(
            tree(
                "{spec: {replicas: 1, mode: Fast, items: [{p: TCP}, {p: UDP}], nested: {size:"
                    + " 3}}}"));
    assertThat(schema.withDefaults(Tree.EMPTY)).isEqualTo(Tree.EMPTY);
  }

  @Test
  void anAllowedNullIsKeptAnotherIsDefaulted() {
    assertThat(schema.withDefaults(tree("{spec: {mode: null, replicas: null}}")))
        .isEqualTo(tree("{spec: {mode: null, replicas: 1, nested: {size: 3}}}"));
  }

  @Test
  void builtInKindsLoseTheirNullsInSilence() {
    Schema builtIn = Schema.builtIn(tree("{type: object, properties: {a: {type: string}}}"));

    var pruned = builtIn.prune(tree("{a: null, b: 1}"));

    assertThat(pruned.tree()).isEqualTo(Tree.EMPTY);
    assertThat(pruned.dropped()).containsExactly("b");
    assertThat(builtIn.validate(tree("{a: null}"))).isEmpty();
  }

  @Test
  void rulesAreFoundAnywhereAndTheSchemaIsGivenBackAsItWas() {
    Tree ruled =
        tree(
            "{type: object, properties: {l: {type: array, items: {type: object,"
                + " x-kubernetes-validations: [{rule: 'self.a > 0'}]}}}}");

    assertThat(Schema.customResource(ruled).hasRules()).isTrue();
    assertThat(Schema.customResource(ruled).toOpenApi()).isSameAs(ruled);
    assertThat(schema.hasRules()).isFalse();
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
