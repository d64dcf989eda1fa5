package dev.sluice.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class StructuralRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: object}",
        "{type: object, properties: {a: {type: array, items: {type: string}}, b: {type: object,"
            + " additionalProperties: {type: integer}}}}",
        "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a:"
            + " {x-kubernetes-preserve-unknown-fields: true}}}",
        "{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer},"
            + " {type: string}], pattern: '^[0-9]+$'}}}",
        "{type: object, properties: {metadata: {type: object, properties: {name: {type: string,"
            + " maxLength: 5}}}}}",
        "{type: object, properties: {a: {type: integer}, b: {type: integer}}, oneOf: [{required:"
            + " [a]}, {required: [b], properties: {b: {minimum: 1}}}]}",
        "{type: object, properties: {l: {type: array, x-kubernetes-list-type: map,"
            + " x-kubernetes-list-map-keys: [k, p], items: {type: object, required: [k],"
            + " properties: {k: {type: string}, p: {type: string, default: TCP}}}}}}",
        "{type: object, properties: {s: {type: object, default: {n: 1}, properties: {n: {type:"
            + " integer}}}}}"
      })
  void takes(String schema) {
    assertThat(problems(schema)).isEmpty();
  }

  /** A schema, and each problem as {@code Reason field}. */
  record Refused(String schema, List<String> want) {
    Refused(String schema, String... want) {
      this(schema, List.of(want));
    }
  }

  static final List<Refused> REFUSED =
      List.of(
          new Refused("{type: string}", "Invalid schema.type"),
          new Refused(
              "{type: object, additionalProperties: {type: string}}",
              "Forbidden schema.additionalProperties"),
          new Refused("{type: object, properties: {a: {}}}", "Required schema.properties[a].type"),
          new Refused(
              "{type: object, properties: {a: {type: text}}}",
              "NotSupported schema.properties[a].type"),
          new Refused("{type: object, properties: {a: 1}}", "TypeInvalid schema.properties[a]"),
          new Refused(
              "{type: object, properties: {a: {type: array}}}",
              "Required schema.properties[a].items"),
          new Refused(
              "{type: object, properties: {a: {type: object, properties: {b: {type: string}},"
                  + " additionalProperties: {}}}}",
              "Forbidden schema.properties[a].additionalProperties",
              "Required schema.properties[a].additionalProperties.type"),
          new Refused(
              "{type: object, properties: {a: {type: object, additionalProperties: false}}}",
              "Forbidden schema.properties[a].additionalProperties"),
          new Refused(
              "{type: object, properties: {a: {type: array, uniqueItems: true, items: {type:"
                  + " string}}}}",
              "Forbidden schema.properties[a].uniqueItems"),
          new Refused(
              "{type: object, properties: {a: {type: string, $ref: x}}}",
              "Forbidden schema.properties[a].$ref"),
          new Refused(
              "{type: object, properties: {a: {type: string, x-kubernetes-int-or-string: true}}}",
              "Forbidden schema.properties[a].type"),
          new Refused(
              "{type: object, properties: {metadata: {type: object, properties: {labels: {type:"
                  + " object}}}}}",
              "Forbidden schema.properties[metadata].properties[labels]"),
          new Refused(
              "{type: object, properties: {a: {type: integer, anyOf: [{type: integer}, {default:"
                  + " 1}]}}}",
              "Forbidden schema.properties[a].anyOf[0].type",
              "Forbidden schema.properties[a].anyOf[1].default"),
          new Refused(
              "{type: object, not: {properties: {b: {minimum: 1}, metadata: {}}}}",
              "Required schema.not.properties[b]",
              "Forbidden schema.not.properties[metadata]"),
          new Refused(
              "{type: object, properties: {a: {type: string, pattern: '('}}}",
              "Invalid schema.properties[a].pattern"),
          new Refused(
              "{type: object, properties: {a: {type: string, pattern: '^(a{1,1000}){1,1000}$'}}}",
              "Invalid schema.properties[a].pattern"),
          new Refused(
              "{type: object, properties: {a: {type: string, pattern: '(?=a)b'}}}",
              "Invalid schema.properties[a].pattern"),
          new Refused(
              "{type: object, properties: {a: {type: string, anyOf: [{pattern: '('}]}}}",
              "Invalid schema.properties[a].anyOf[0].pattern"),
          new Refused(
              "{type: object, properties: {a: {type: integer, default: one}}}",
              "TypeInvalid schema.properties[a].default"),
          new Refused(
              "{type: object, properties: {a: {type: object, default: {z: 1}}}}",
              "Invalid schema.properties[a].default.z"),
          new Refused(
              "{type: object, properties: {a: {type: array, x-kubernetes-list-type: bag, items:"
                  + " {type: string}}}}",
              "NotSupported schema.properties[a].x-kubernetes-list-type"),
          new Refused(
              "{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items:"
                  + " {type: object}}}}",
              "Invalid schema.properties[a].items"),
          new Refused(
              "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, items:"
                  + " {type: object}}}}",
              "Required schema.properties[a].x-kubernetes-list-map-keys"),
          new Refused(
              "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map,"
                  + " x-kubernetes-list-map-keys: [k, z], items: {type: object, properties: {k:"
                  + " {type: string}}}}}}",
              "Required schema.properties[a].items.properties[k].default",
              "Invalid schema.properties[a].x-kubernetes-list-map-keys[1]"),
          new Refused(
              "{type: object, properties: {a: {type: object, x-kubernetes-map-type: odd}}}",
              "NotSupported schema.properties[a].x-kubernetes-map-type"),
          new Refused(
              "{type: object, properties: {a: {type: array, x-kubernetes-embedded-resource: true,"
                  + " items: {type: string}}}}",
              "Invalid schema.properties[a].type"));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void refuses(Refused c) {
    assertThat(problems(c.schema())).isEqualTo(c.want());
  }

  private static List<String> problems(String yaml) {
    return StructuralRules.problems(Yaml.parseAll(yaml).getFirst().asTree(), FieldPath.of("schema"))
        .stream()
        .map(cause -> cause.reason().replace("FieldValue", "") + " " + cause.field())
        .toList();
  }
}
