package dev.sluice.simulator.scenario;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The JSON Schema of the Scenario object. It is what editors use and also what files are checked
 * against, so both agree on every field: the reader of a checked object need not look again.
 *
 * <p>It knows the keywords that our schema uses. A message has the {@code description} of a schema
 * as what was expected.
 */
public final class Schema {
  private static final String FILE = "/scenario/schema.json";
  private static final String REFERENCE = "#/$defs/";

  private final Tree root;

  private Schema(Tree root) {
    this.root = root;
  }

  /** The schema as a file for editors. */
  public static String text() {
    try (InputStream resource =
        Objects.requireNonNull(Schema.class.getResourceAsStream(FILE), FILE)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static Schema load() {
    return new Schema(Json.parse(text()).asTree());
  }

  /**
   * Checks a Scenario object.
   *
   * @throws InvalidField the first field that does not follow the schema
   */
  void check(Tree object) {
    check(object, root, List.of());
  }

  private void check(Value value, Tree unresolved, List<String> path) {
    Tree schema = resolved(unresolved);
    requireType(value, schema, path);
    switch (value) {
      case Tree tree -> checkObject(tree, schema, path);
      case Items items -> checkArray(items, schema, path);
      case Value.Text(String text) -> checkText(text, schema, path);
      case Value.Whole(long number) -> checkNumber(BigDecimal.valueOf(number), schema, path);
      case Value.Decimal(BigDecimal number) -> checkNumber(number, schema, path);
      case Value.Flag _, Value.Null _ -> {}
    }
  }

  /** A description beside a reference is about the field; that of the definition is the format. */
  private Tree resolved(Tree schema) {
    String reference = schema.text("$ref");
    return reference.isEmpty()
        ? schema
        : root.tree("$defs", reference.substring(REFERENCE.length()));
  }

  private static void requireType(Value value, Tree schema, List<String> path) {
    List<String> types =
        schema.at("type") instanceof Value.Text(String type)
            ? List.of(type)
            : schema.textItems("type");
    String type = type(value);
    boolean known =
        types.isEmpty()
            || types.contains(type)
            || (type.equals("integer") && types.contains("number"));
    if (!known) {
      throw new InvalidField(
          path,
          "%s is %s; it must be %s"
              .formatted(shown(value), article(type), expected(schema, types)));
    }
  }

  private static String expected(Tree schema, List<String> types) {
    String description = schema.text("description");
    return description.isEmpty() || Character.isUpperCase(description.charAt(0))
        ? String.join(" or ", types.stream().map(Schema::article).toList())
        : description;
  }

  private static String type(Value value) {
    return switch (value) {
      case Tree _ -> "object";
      case Items _ -> "array";
      case Value.Text _ -> "string";
      case Value.Whole _ -> "integer";
      case Value.Decimal _ -> "number";
      case Value.Flag _ -> "boolean";
      case Value.Null _ -> "null";
    };
  }

  private static String article(String type) {
    return switch (type) {
      case "object", "array", "integer" -> "an " + type;
      case "null" -> "empty";
      default -> "a " + type;
    };
  }

  private static String shown(Value value) {
    String text = Json.write(value);
    return text.length() > 60 ? text.substring(0, 57) + "..." : text;
  }

  private void checkObject(Tree tree, Tree schema, List<String> path) {
    Tree properties = schema.tree("properties");
    Value others = schema.at("additionalProperties");
    for (String name : tree.names()) {
      List<String> inner = inner(path, name);
      if (properties.has(name)) {
        check(tree.at(name), properties.tree(name), inner);
      } else if (others instanceof Tree other) {
        check(tree.at(name), other, inner);
      } else if (others == Value.Flag.FALSE) {
        throw new InvalidField(
            inner,
            "there is no such field%s; the fields here are %s"
                .formatted(
                    Suggestion.of(name, properties.names()),
                    properties.isEmpty() ? "none" : String.join(", ", properties.names())));
      }
    }
    for (String name : schema.textItems("required")) {
      if (!tree.has(name)) {
        throw new InvalidField(inner(path, name), "it is required");
      }
    }
    requireSize(tree.size(), "minProperties", "maxProperties", schema, path);
  }

  private void checkArray(Items items, Tree schema, List<String> path) {
    requireSize(items.values().size(), "minItems", "maxItems", schema, path);
    for (int i = 0; i < items.values().size(); i++) {
      check(items.values().get(i), schema.tree("items"), inner(path, String.valueOf(i)));
    }
  }

  private static void requireSize(
      int size, String min, String max, Tree schema, List<String> path) {
    long least = schema.whole(min).orElse(0);
    long most = schema.whole(max).orElse(Long.MAX_VALUE);
    if (size < least || size > most) {
      String range =
          least == most
              ? "exactly " + least
              : size < least ? "at least " + least : "at most " + most;
      String description = schema.text("description");
      throw new InvalidField(
          path,
          "it has %d entries; it must have %s%s"
              .formatted(size, range, description.isEmpty() ? "" : " (" + description + ")"));
    }
  }

  private static void checkText(String text, Tree schema, List<String> path) {
    List<String> words = schema.textItems("enum");
    if (!words.isEmpty() && !words.contains(text)) {
      throw new InvalidField(
          path,
          "\"%s\" is unknown%s; it must be %s"
              .formatted(text, Suggestion.of(text, words), String.join(", ", words)));
    }
    String pattern = schema.text("pattern");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(text).find()) {
      String description = schema.text("description");
      throw new InvalidField(
          path,
          "\"%s\" does not fit; it must be %s"
              .formatted(text, description.isEmpty() ? "like " + pattern : description));
    }
    if (text.length() < schema.whole("minLength").orElse(0)) {
      throw new InvalidField(path, "it must not be empty");
    }
  }

  private static void checkNumber(BigDecimal number, Tree schema, List<String> path) {
    limit(schema, "minimum")
        .filter(least -> number.compareTo(least) < 0)
        .ifPresent(least -> refuse(number, "at least " + least, path));
    limit(schema, "exclusiveMinimum")
        .filter(least -> number.compareTo(least) <= 0)
        .ifPresent(least -> refuse(number, "above " + least, path));
    limit(schema, "maximum")
        .filter(most -> number.compareTo(most) > 0)
        .ifPresent(most -> refuse(number, "at most " + most, path));
  }

  private static Optional<BigDecimal> limit(Tree schema, String keyword) {
    var limit = schema.whole(keyword);
    return limit.isPresent()
        ? Optional.of(BigDecimal.valueOf(limit.getAsLong()))
        : Optional.empty();
  }

  private static void refuse(BigDecimal number, String range, List<String> path) {
    throw new InvalidField(path, "%s must be %s".formatted(number.toPlainString(), range));
  }

  private static List<String> inner(List<String> path, String name) {
    var inner = new ArrayList<>(path);
    inner.add(name);
    return inner;
  }
}
