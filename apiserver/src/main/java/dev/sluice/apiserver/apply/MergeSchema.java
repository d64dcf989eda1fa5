package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.schema.Schema;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Optional;

/**
 * What server-side apply sees in a schema: which values are owned as one, and how the others come
 * apart. What no schema describes comes apart by its own form: objects by field, lists not at all.
 *
 * @param whole whether it is a whole object, whose type and metadata are the same for all kinds
 * @param builtIn whether a key that an element lacks is the zero value that it is in Go
 */
record MergeSchema(Schema schema, boolean whole, boolean builtIn) {
  private static final Schema TEXT = Schema.builtIn(Tree.of("type", "string"));

  /** How a value comes apart. */
  enum Parts {
    /** Not at all. */
    NONE,
    FIELDS,
    /** Elements known by themselves. */
    MEMBERS,
    /** Elements known by their keys. */
    KEYED
  }

  /** The shape of the objects of a kind. */
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
   * Whether the schema names the field, so that it is there with its contents and not for itself.
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

  /** The shape of what a step leads to. */
  MergeSchema at(PathElement step) {
    return step instanceof PathElement.Field(String name) ? field(name) : element();
  }

  /**
   * What an element of a list that comes apart is known by; none if it lacks all keys, or is no
   * object where it must be one, or one where it must not.
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
