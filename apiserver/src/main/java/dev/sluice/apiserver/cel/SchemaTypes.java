package dev.sluice.apiserver.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.sluice.apiserver.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The CEL types of a schema, against which expressions are checked before there are values.
 *
 * <p>Fields that only {@code x-kubernetes-preserve-unknown-fields} lets through have no type, so
 * rules cannot name them. Threads: one builds it; {@link #provider} can be shared.
 */
final class SchemaTypes {
  private final Map<Schema, CelType> bySchema = new LinkedHashMap<>();
  private final ImmutableMap.Builder<String, CelType> structs = ImmutableMap.builder();

  /** The types of a schema and of everything in it. */
  SchemaTypes(Schema root) {
    type(root, "object");
  }

  /** The type of values of a schema, if rules can read them. */
  Optional<CelType> of(Schema schema) {
    return Optional.ofNullable(bySchema.get(schema));
  }

  private Optional<CelType> type(Schema schema, String name) {
    Optional<CelType> type =
        switch (schema.type()) {
          case OBJECT -> object(schema, name);
          case ARRAY ->
              schema.items().flatMap(items -> type(items, name + "[]")).map(ListType::create);
          case STRING -> Optional.of(text(schema));
          case INTEGER -> Optional.of(SimpleType.INT);
          case NUMBER -> Optional.of(SimpleType.DOUBLE);
          case BOOLEAN -> Optional.of(SimpleType.BOOL);
          case INT_OR_STRING -> Optional.of(SimpleType.DYN);
          case ANY -> Optional.empty();
        };
    type.ifPresent(found -> bySchema.put(schema, found));
    return type;
  }

  private static CelType text(Schema schema) {
    return switch (schema.format()) {
      case "byte" -> SimpleType.BYTES;
      case "duration" -> SimpleType.DURATION;
      case "date", "date-time" -> SimpleType.TIMESTAMP;
      default -> SimpleType.STRING;
    };
  }

  private Optional<CelType> object(Schema schema, String name) {
    if (schema.additionalProperties().isPresent()) {
      return type(schema.additionalProperties().get(), name + "[*]")
          .map(value -> MapType.create(SimpleType.STRING, value));
    }
    var fields = new LinkedHashMap<String, CelType>();
    schema
        .properties()
        .forEach((field, value) ->
            type(value, name + "." + field)
                .ifPresent(
                    type -> Names.all(field).forEach(identifier -> fields.put(identifier, type))));
    if (schema.isResource()) {
      fields.put("apiVersion", SimpleType.STRING);
      fields.put("kind", SimpleType.STRING);
      Map<String, CelType> visible = new LinkedHashMap<>();
      CustomValues.VISIBLE_METADATA.forEach(field -> visible.put(field, SimpleType.STRING));
      fields.put("metadata", struct(name + ".metadata{}", visible));
    }
    return Optional.of(struct(name, fields));
  }

  private StructType struct(String name, Map<String, CelType> fields) {
    ImmutableMap<String, CelType> known = ImmutableMap.copyOf(fields);
    var struct =
        StructType.create(name, known.keySet(), field -> Optional.ofNullable(known.get(field)));
    structs.put(name, struct);
    return struct;
  }

  /** The provider of the schema's object types for the compiler. */
  CelTypeProvider provider() {
    return new Structs(structs.buildOrThrow());
  }

  private record Structs(ImmutableMap<String, CelType> byName) implements CelTypeProvider {
    @Override
    public ImmutableCollection<CelType> types() {
      return byName.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.ofNullable(byName.get(name));
    }
  }
}
