package dev.sluice.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class ValidationTest {

  /**
   * A schema and a value of field {@code x}; {@code want} is {@code Reason field: message} or
   * empty.
   */
  record Case(String schema, String value, String want) {}

  static final List<Case> CASES =
      List.of(
          new Case("{type: integer}", "1", ""),
          new Case("{type: integer}", "1.0", ""),
          new Case(
              "{type: integer}",
              "one",
              "TypeInvalid x: Invalid value: \"string\": must be of type integer"),
          new Case(
              "{type: string}",
              "null",
              "TypeInvalid x: Invalid value: \"null\": must be of type string"),
          new Case("{type: string, nullable: true}", "null", ""),
          new Case("{type: number}", "0.5", ""),
          new Case(
              "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
              "50%",
              ""),
          new Case(
              "{x-kubernetes-int-or-string: true}",
              "true",
              "TypeInvalid x: Invalid value: \"boolean\": must be of type int-or-string"),
          new Case(
              "{type: string, enum: [A, B]}",
              "C",
              "NotSupported x: Unsupported value: \"C\": supported values: \"A\", \"B\""),
          new Case("{type: integer, minimum: 1}", "1", ""),
          new Case(
              "{type: integer, minimum: 1}",
              "0",
              "Invalid x: Invalid value: 0: must be at least 1"),
          new Case(
              "{type: integer, minimum: 1, exclusiveMinimum: true}",
              "1",
              "Invalid x: Invalid value: 1: must be more than 1"),
          new Case(
              "{type: number, maximum: 2.5}",
              "2.6",
              "Invalid x: Invalid value: 2.6: must be at most 2.5"),
          new Case(
              "{type: integer, multipleOf: 4}",
              "6",
              "Invalid x: Invalid value: 6: must be a multiple of 4"),
          new Case(
              "{type: integer, format: int32}",
              "2147483648",
              "Invalid x: Invalid value: 2147483648: must be at most 2147483647"),
          new Case(
              "{type: string, minLength: 2}",
              "a",
              "Invalid x: Invalid value: \"a\": must have at least 2 characters"),
          new Case(
              "{type: string, maxLength: 2}",
              "äöü",
              "TooLong x: Too long: may not have more than 2 characters"),
          new Case("{type: string, maxLength: 3}", "äöü", ""),
          new Case("{type: string, pattern: b+}", "abc", ""),
          new Case(
              "{type: string, pattern: ^b+$}",
              "abc",
              "Invalid x: Invalid value: \"abc\": must match '^b+$'"),
          new Case(
              "{type: string, format: date-time}",
              "'now'",
              "Invalid x: Invalid value: \"now\": must be of the format date-time"),
          new Case(
              "{type: array, items: {type: integer}, minItems: 1}",
              "[]",
              "Invalid x: Invalid value: 0: must have at least 1 items"),
          new Case(
              "{type: array, items: {type: integer}, maxItems: 1}",
              "[1, 2]",
              "TooMany x: Too many: 2: must have at most 1 items"),
          new Case(
              "{type: array, items: {type: integer}}",
              "[1, a]",
              "TypeInvalid x[1]: Invalid value: \"string\": must be of type integer"),
          new Case(
              "{type: object, maxProperties: 1, additionalProperties: {type: string}}",
              "{a: b, c: d}",
              "TooMany x: Too many: 2: must have at most 1 items"),
          new Case(
              "{type: object, additionalProperties: {type: string}}",
              "{k: 1}",
              "TypeInvalid x.k: Invalid value: \"integer\": must be of type string"),
          new Case(
              "{type: object, required: [a], properties: {a: {type: string}}}",
              "{}",
              "Required x.a: Required value"),
          new Case(
              "{type: array, items: {type: string}, x-kubernetes-list-type: set}",
              "[a, b, a]",
              "Duplicate x[2]: Duplicate value: \"a\""),
          new Case(
              "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [p, q],"
                  + " items: {type: object}}",
              "[{p: 1, q: a}, {p: 1, q: b}, {p: 1, q: a, r: 1}]",
              "Duplicate x[2]: Duplicate value: {\"p\":1,\"q\":\"a\"}"),
          new Case(
              "{type: object, x-kubernetes-embedded-resource: true}",
              "{apiVersion: v1, kind: K, metadata: {}}",
              ""),
          new Case(
              "{type: object, x-kubernetes-embedded-resource: true}",
              "{apiVersion: v1}",
              "Required x.kind: Required value: it names the embedded object"),
          new Case(
              "{type: string, allOf: [{maxLength: 2}, {minLength: 1}]}",
              "abc",
              "TooLong x: Too long: may not have more than 2 characters"),
          new Case("{type: string, anyOf: [{pattern: ^a}, {pattern: ^b}]}", "bc", ""),
          new Case(
              "{type: string, anyOf: [{pattern: ^a}, {pattern: ^b}]}",
              "c",
              "Invalid x: Invalid value: \"c\": must fit at least one of the schemas of anyOf"),
          new Case(
              "{type: string, oneOf: [{pattern: a}, {pattern: b}]}",
              "ab",
              "Invalid x: Invalid value: \"ab\": must fit exactly one of the schemas of oneOf"),
          new Case(
              "{type: string, not: {pattern: a}}",
              "ab",
              "Invalid x: Invalid value: \"ab\": must not fit the schema of not"));

  @ParameterizedTest
  @FieldSource("CASES")
  void validates(Case c) {
    Schema schema = schema("{type: object, properties: {x: " + c.schema() + "}}");

    List<Cause> causes = schema.validate(tree("{x: " + c.value() + "}"));

    assertThat(causes)
        .extracting(ValidationTest::line)
        .isEqualTo(c.want().isEmpty() ? List.of() : List.of(c.want()));
  }

  @Test
  void anUpdateForgivesWhatWasWrongBeforeAndDidNotChange() {
    Schema schema =
        schema(
            "{type: object, properties: {a: {type: integer}, list: {type: array,"
                + " x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type:"
                + " object, properties: {k: {type: string}, v: {type: integer, minimum: 5}}}}}}");
    Tree before = tree("{a: text, list: [{k: x, v: 1}, {k: y, v: 1}]}");
    Tree after = tree("{a: text, list: [{k: new, v: 9}, {k: y, v: 2}, {k: x, v: 1}]}");

    assertThat(schema.validateUpdate(before, after))
        .extracting(Cause::field)
        .containsExactly("list[1].v");
    assertThat(schema.validate(after))
        .extracting(Cause::field)
        .containsExactly("a", "list[1].v", "list[2].v");
  }

  @ParameterizedTest
  @CsvSource({
    "date-time,2024-01-02T03:04:05.5+02:00,2024-01-02",
    "date-time,2024-01-28T23:59:59Z,2024-02-30T03:04:05Z",
    "date-time,2024-02-29T23:59:59Z,2024-01-01T24:00:00Z",
    "date,2024-02-29,2023-02-29",
    "duration,1h30m,soon",
    "byte,aGk=,a*",
    "uri,https://a.b/c?d,not one",
    "email,a@b.c,a.b.c",
    "hostname,a-b.example.com,-a.b",
    "ipv4,10.0.0.255,10.0.0.256",
    "ipv6,fe80::1,fe80::1::2",
    "ipv6,::ffff:1.2.3.4,1:2:3",
    "ipv6,1:2:3:4:5:6:7:8,1:2:3:4:5:6:7:8:9",
    "cidr,10.0.0.0/8,10.0.0.0/33",
    "cidr,fd00::/64,fd00::/129",
    "mac,00:1b:44:11:3a:b7,00:1b:44",
    "uuid,123e4567-e89b-12d3-a456-426614174000,123",
    "uuid4,123e4567-e89b-42d3-a456-426614174000,123e4567-e89b-12d3-a456-426614174000",
    "k8s-short-name,a-b,a.b",
    "k8s-long-name,a.b,A.b",
  })
  void formatsAreChecked(String format, String good, String bad) {
    var fits = Formats.named(format).orElseThrow();

    assertThat(fits).accepts(good).rejects(bad);
  }

  @Test
  void longTextsAreMatchedInLinearTime() {
    Schema schema = schema("{type: object, properties: {x: {type: string, pattern: '^(a|b)*$'}}}");

    assertThat(schema.validate(Tree.of("x", "ab".repeat(1_000_000)))).isEmpty();
    assertThat(schema.validate(Tree.of("x", "ab".repeat(1_000_000) + "c"))).hasSize(1);
  }

  @Test
  void ambiguousPatternTakesNoLongerThanAnother() {
    Schema schema =
        schema("{type: object, properties: {x: {type: string, pattern: '(a*)*(a*)*(a*)*b'}}}");

    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> assertThat(schema.validate(Tree.of("x", "a".repeat(5000) + "!"))).hasSize(1));
  }

  @Test
  void largePatternOverLongTextsIsStopped() {
    Schema schema =
        schema(
            "{type: object, properties: {x: {type: array, items: {type: string, pattern:"
                + " '(a?b?){450}c'}}}}");
    List<Value> texts = Collections.nCopies(20, Value.of("ab".repeat(50_000)));

    List<Cause> causes = schema.validate(Tree.of("x", new Items(texts)));

    assertThat(causes)
        .singleElement()
        .satisfies(cause -> assertThat(cause.message()).contains("more than 10000000 steps"));
  }

  @Test
  void longTextOfAFormatIsRefused() {
    Schema schema = schema("{type: object, properties: {x: {type: string, format: duration}}}");

    assertThat(schema.validate(Tree.of("x", "1s".repeat(1_000_000)))).hasSize(1);
  }

  @Test
  void causesAreLimited() {
    Schema schema =
        schema("{type: object, properties: {x: {type: array, items: {type: integer}}}}");
    List<Value> wrong = Collections.nCopies(100_000, Value.of("no"));

    assertThat(schema.validate(Tree.of("x", new Items(wrong)))).hasSize(100);
  }

  @Test
  void unknownFormatsSayNothing() {
    assertThat(Formats.named("colour-of-the-sky")).isEmpty();
  }

  private static String line(Cause cause) {
    return cause.reason().replace("FieldValue", "") + " " + cause.field() + ": " + cause.message();
  }

  private static Schema schema(String yaml) {
    return Schema.customResource(tree(yaml));
  }

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }
}
