package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Optional;

/**
 * A schema as server-side apply reads it: which values are atomic, and into which parts the others
 * divide. A value without a schema divides by its own type: objects by field, lists not at all.
 *
 * @param whole whether it describes a whole object, whose type and metadata are the same for all
 *     kinds
 * @param builtIn whether a key that an element lacks has Go's zero value
 */
record MergeSchema(Schema schema, boolean whole, boolean builtIn) {
  private static final Schema TEXT = Schema.builtIn(Tree.of("type", "string"));

  /** The parts into which a value divides. */
  enum Parts {
    /** None: the value is atomic. */
    NONE,
    FIELDS,
    /** Elements of a set, each its own identity. */
    MEMBERS,
    /** Elements identified by their keys. */
    KEYED
  }

  /** The merge schema of the objects of a kind. */
  static MergeSchema of(Schema kind, boolean builtIn) {
    return new MergeSchema(kind, true, builtIn);
  }

  Parts parts(Value value) {
    return switch (value) {
      case Tree _ -> schema.atomicMap() ? Parts.NONE : Parts.FIELDS;
      case Items _ ->
          switch (schema.listType()) {
            case ATOMIC -> Parts.NONE;
            case SET -> Parts.MEMBERS;
            case MAP -> Parts.KEYED;
          };
      case Value _ -> Parts.NONE;
    };
  }

  /**
   * Whether the schema declares the field. A declared field is owned through its contents, not by
   * itself.
   */
  boolean declares(String name) {
    return declared(name).isPresent();
  }

  private Optional<Schema> declared(String name) {
    if (whole) {
      switch (name) {
        case "apiVersion", "kind" -> {
          return Optional.of(TEXT);
        }
        case "metadata" -> {
          return Optional.of(BuiltInSchemas.objectMeta());
        }
        default -> {}
      }
    }
    return Optional.ofNullable(schema.properties().get(name));
  }

  /** Whether there may be a field of this name. */
  boolean allows(String name) {
    return declares(name) || schema.additionalProperties().isPresent() || schema.preservesUnknown();
  }

  MergeSchema field(String name) {
    return declared(name)
        .or(schema::additionalProperties)
        .map(this::below)
        .orElseGet(() -> below(Schema.ANY));
  }

  MergeSchema element() {
    return below(schema.items().orElse(Schema.ANY));
  }

  private MergeSchema below(Schema part) {
    return new MergeSchema(part, part.toOpenApi().flag("x-kubernetes-embedded-resource"), builtIn);
  }

  /** The merge schema of the value at a path element. */
  MergeSchema at(PathElement step) {
    return step instanceof PathElement.Field(String name) ? field(name) : element();
  }

  /**
   * The path element that identifies an element of a granular list; none if the element lacks all
   * keys or has the wrong type.
   */
  Optional<PathElement> step(Parts parts, Value element) {
    return parts == Parts.KEYED ? keys(element) : member(element);
  }

  private Optional<PathElement> keys(Value element) {
    if (!(element instanceof Tree tree)) {
      return Optional.empty();
    }
    Tree keys = Tree.EMPTY;
    for (String key : schema.listMapKeys()) {
      Optional<Value> value =
          tree.has(key) ? Optional.of(tree.at(key)) : missing(element().field(key).schema());
      keys = value.isPresent() ? keys.with(key, value.get()) : keys;
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new PathElement.Keys(keys));
  }

  private Optional<Value> missing(Schema key) {
    Optional<Value> zero =
        switch (key.type()) {
          case STRING -> Optional.of(Value.of(""));
          case INTEGER -> Optional.of(Value.of(0));
          case OBJECT, ARRAY, NUMBER, BOOLEAN, INT_OR_STRING, ANY -> Optional.empty();
        };
    return key.defaultValue().or(() -> builtIn ? zero : Optional.empty());
  }

  private static Optional<PathElement> member(Value element) {
    return element instanceof Value.Container || element == Value.Null.NULL
        ? Optional.empty()
        : Optional.of(new PathElement.Member(element));
  }
}
