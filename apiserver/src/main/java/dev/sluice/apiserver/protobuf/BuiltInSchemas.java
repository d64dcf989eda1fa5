package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.sluice.apiserver.protobuf.JsonShape.Special;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import io.kubernetes.client.proto.Meta;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * The schemas of the built-in kinds, read from their Protobuf messages: every field with its type,
 * and how lists merge. They do not contain what only the code of the server knows: which fields are
 * required and which values are valid.
 *
 * <p>Threads: schemas are built once, on first use, and shared.
 */
public final class BuiltInSchemas {
  private static final Tree ANYTHING = Tree.of("x-kubernetes-preserve-unknown-fields", true);

  /** Kubernetes accepts a MicroTime only with six digits after the second. */
  private static final String MICRO_TIME = "\\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$";

  private static final ConcurrentMap<Descriptor, Schema> KINDS = new ConcurrentHashMap<>();

  /** The messages that enclose the one being read. */
  private final Set<Descriptor> above = new LinkedHashSet<>();

  private final Optional<Descriptions> descriptions;

  private BuiltInSchemas() {
    this(Optional.empty());
  }

  private BuiltInSchemas(Optional<Descriptions> descriptions) {
    this.descriptions = descriptions;
  }

  /**
   * The schema of a kind with its descriptions, for documents; empty if it is not a built-in one.
   */
  public static Optional<Tree> described(String apiVersion, String kind) {
    return Messages.find(apiVersion, kind)
        .map(message -> new BuiltInSchemas(Optional.of(Texts.DESCRIPTIONS)).kind(message));
  }

  /** The schema of metadata with its descriptions. */
  public static Tree describedMeta() {
    return new BuiltInSchemas(Optional.of(Texts.DESCRIPTIONS))
        .message(Meta.ObjectMeta.getDescriptor());
  }

  /** Holds texts that are loaded on first use. */
  private static final class Texts {
    private static final Descriptions DESCRIPTIONS = Descriptions.load();
  }

  /** The schema of a kind, if it is a built-in one. */
  public static Optional<Schema> find(String apiVersion, String kind) {
    return Messages.find(apiVersion, kind)
        .map(message -> KINDS.computeIfAbsent(message, BuiltInSchemas::read));
  }

  /** The schema of metadata, which all kinds share. */
  public static Schema objectMeta() {
    return ObjectMeta.SCHEMA;
  }

  /** Holds a schema that is built on first use. */
  private static final class ObjectMeta {
    private static final Schema SCHEMA =
        Schema.builtIn(new BuiltInSchemas().message(Meta.ObjectMeta.getDescriptor()));
  }

  private static Schema read(Descriptor message) {
    return Schema.builtIn(new BuiltInSchemas().kind(message));
  }

  private Tree kind(Descriptor message) {
    Descriptor type = Meta.TypeMeta.getDescriptor();
    Tree text = Tree.of("type", "string");
    return message(message)
        .with(
            List.of("properties", "apiVersion"),
            described(text, texts -> texts.of(type.findFieldByName("apiVersion"))))
        .with(
            List.of("properties", "kind"),
            described(text, texts -> texts.of(type.findFieldByName("kind"))));
  }

  private Tree described(Tree schema, Function<Descriptions, Optional<String>> text) {
    return descriptions
        .flatMap(text)
        .map(description -> schema.with("description", description))
        .orElse(schema);
  }

  private Tree message(Descriptor message) {
    Optional<Special> special = JsonShape.special(message);
    if (special.isPresent()) {
      return described(special(special.get()), texts -> texts.of(message));
    }
    // The schema in a CRD is free-form: it has validation of its own. And it contains itself.
    if (JsonShape.isJsonSchema(message) || !above.add(message)) {
      return described(ANYTHING.with("type", "object"), texts -> texts.of(message));
    }
    Map<String, Value> properties = new TreeMap<>();
    for (FieldDescriptor field : message.getFields()) {
      if (JsonShape.inlined(field)) {
        Tree inlined = message(field.getMessageType()).tree("properties");
        inlined.forEach(properties::put);
      } else {
        properties.put(JsonShape.name(field), described(field(field), texts -> texts.of(field)));
      }
    }
    above.remove(message);
    Tree schema = Tree.of("type", "object", "properties", Tree.of(properties));
    return described(with(schema, MergeTable.keywords(message)), texts -> texts.of(message));
  }

  private Tree field(FieldDescriptor field) {
    if (field.isMapField()) {
      Tree values = single(field.getMessageType().findFieldByName("value"));
      Tree keywords = MergeTable.keywords(field);
      // The table has one column for lists and maps; OpenAPI has a keyword for each.
      return keywords.isEmpty()
          ? Tree.of("type", "object", "additionalProperties", values)
          : Tree.of(
              "type", "object", "additionalProperties", values, "x-kubernetes-map-type", "atomic");
    }
    Tree schema = single(field);
    return with(
        field.isRepeated() ? Tree.of("type", "array", "items", schema) : schema,
        MergeTable.keywords(field));
  }

  private Tree single(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING, ENUM -> Tree.of("type", "string");
      case BYTE_STRING -> Tree.of("type", "string", "format", "byte");
      case BOOLEAN -> Tree.of("type", "boolean");
      case INT -> Tree.of("type", "integer", "format", "int32");
      case LONG -> Tree.of("type", "integer", "format", "int64");
      case FLOAT, DOUBLE -> Tree.of("type", "number", "format", "double");
      case MESSAGE -> message(field.getMessageType());
    };
  }

  private static Tree special(Special special) {
    return switch (special) {
      case QUANTITY ->
          Tree.of("oneOf", List.of(Tree.of("type", "string"), Tree.of("type", "number")));
      case TIME -> Tree.of("type", "string", "format", "date-time", "nullable", true);
      case MICRO_TIME ->
          Tree.of("type", "string", "format", "date-time", "nullable", true)
              .with("pattern", MICRO_TIME);
      case DURATION -> Tree.of("type", "string");
      case INT_OR_STRING -> Tree.of("x-kubernetes-int-or-string", true, "format", "int-or-string");
      case STRINGS -> Tree.of("type", "array", "items", Tree.of("type", "string"));
      case RAW, SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> ANYTHING;
    };
  }

  private static Tree with(Tree schema, Tree keywords) {
    Tree merged = schema;
    for (String keyword : keywords.names()) {
      merged = merged.with(keyword, keywords.at(keyword));
    }
    return merged;
  }
}
