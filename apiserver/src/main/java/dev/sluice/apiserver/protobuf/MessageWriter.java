package dev.sluice.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.sluice.apiserver.protobuf.JsonShape.Special;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * The conversion of trees into messages, by {@link JsonShape}. A field that the messages do not
 * have, or whose value has another type there, is left out: clients of JSON see it.
 */
final class MessageWriter {
  private MessageWriter() {}

  static DynamicMessage write(Descriptor message, Tree tree) {
    var builder = DynamicMessage.newBuilder(message);
    for (FieldDescriptor field : message.getFields()) {
      if (JsonShape.inlined(field)) {
        DynamicMessage inlined = write(field.getMessageType(), tree);
        if (!inlined.getAllFields().isEmpty()) {
          builder.setField(field, inlined);
        }
      } else {
        put(builder, field, tree.at(JsonShape.name(field)));
      }
    }
    return builder.buildPartial();
  }

  private static void put(DynamicMessage.Builder builder, FieldDescriptor field, Value value) {
    if (field.isMapField() && value instanceof Tree map) {
      map.forEach((key, each) ->
          entry(field, key, each).ifPresent(entry -> builder.addRepeatedField(field, entry)));
    } else if (field.isRepeated() && value instanceof Items items) {
      for (Value item : items.values()) {
        single(field, item).ifPresent(element -> builder.addRepeatedField(field, element));
      }
    } else if (!field.isRepeated()) {
      single(field, value).ifPresent(found -> builder.setField(field, found));
    }
  }

  private static Optional<Object> entry(FieldDescriptor map, String key, Value value) {
    Descriptor entry = map.getMessageType();
    FieldDescriptor values = entry.findFieldByName("value");
    return single(values, value)
        .map(found ->
            DynamicMessage.newBuilder(entry)
                .setField(entry.findFieldByName("key"), key)
                .setField(values, found)
                .buildPartial());
  }

  private static Optional<Object> single(FieldDescriptor field, Value value) {
    if (value == Value.Null.NULL) {
      return Optional.empty();
    }
    return switch (field.getJavaType()) {
      case STRING ->
          value instanceof Value.Text(String text) ? Optional.of(text) : Optional.empty();
      case BYTE_STRING -> bytes(value);
      case BOOLEAN ->
          value instanceof Value.Flag flag
              ? Optional.of(flag == Value.Flag.TRUE)
              : Optional.empty();
      case INT ->
          value instanceof Value.Whole(long number) ? Optional.of((int) number) : Optional.empty();
      case LONG ->
          value instanceof Value.Whole(long number) ? Optional.of(number) : Optional.empty();
      case FLOAT -> number(value).map(found -> (Object) found.floatValue());
      case DOUBLE -> number(value).map(found -> (Object) found.doubleValue());
      case ENUM -> Optional.empty();
      case MESSAGE -> message(field.getMessageType(), value).map(found -> (Object) found);
    };
  }

  private static Optional<Number> number(Value value) {
    return switch (value) {
      case Value.Whole(long number) -> Optional.of(number);
      case Value.Decimal(var number) -> Optional.of(number);
      case Value ignored -> Optional.empty();
    };
  }

  private static Optional<Object> bytes(Value value) {
    try {
      return value instanceof Value.Text(String text)
          ? Optional.of(ByteString.copyFrom(Base64.getDecoder().decode(text)))
          : Optional.empty();
    } catch (IllegalArgumentException notEncoded) {
      return Optional.empty();
    }
  }

  private static Optional<DynamicMessage> message(Descriptor message, Value value) {
    Optional<Special> special = JsonShape.special(message);
    if (special.isEmpty()) {
      return value instanceof Tree tree ? Optional.of(write(message, tree)) : Optional.empty();
    }
    return switch (special.get()) {
      case QUANTITY -> Optional.of(write(message, Tree.of("string", text(value))));
      case TIME, MICRO_TIME -> Timestamps.parse(text(value)).map(time -> time(message, time));
      case DURATION ->
          GoDuration.parse(text(value))
              .map(duration -> write(message, Tree.of("duration", duration.toNanos())));
      case INT_OR_STRING -> Optional.of(intOrString(message, value));
      case RAW -> Optional.of(raw(message, Json.bytes(value)));
      case STRINGS -> Optional.of(write(message, Tree.of("items", value)));
      case SCHEMA_OR_ARRAY -> Optional.of(schemaOr(message, value, "jSONSchemas"));
      case SCHEMA_OR_BOOL -> Optional.of(schemaOr(message, value, "allows"));
      case SCHEMA_OR_STRINGS -> Optional.of(schemaOr(message, value, "property"));
    };
  }

  private static String text(Value value) {
    return value instanceof Value.Text(String text) ? text : value.toString();
  }

  private static DynamicMessage time(Descriptor message, Instant time) {
    return write(
        message, Tree.of("seconds", time.getEpochSecond(), "nanos", (long) time.getNano()));
  }

  private static DynamicMessage intOrString(Descriptor message, Value value) {
    return write(
        message,
        value instanceof Value.Whole
            ? Tree.of("type", 0, "intVal", value)
            : Tree.of("type", 1, "strVal", text(value)));
  }

  private static DynamicMessage raw(Descriptor message, byte[] json) {
    return DynamicMessage.newBuilder(message)
        .setField(message.getFields().getFirst(), ByteString.copyFrom(json))
        .buildPartial();
  }

  /** A schema, or what can stand in its place; where that is a flag, a schema implies it. */
  private static DynamicMessage schemaOr(Descriptor message, Value value, String other) {
    var builder = DynamicMessage.newBuilder(message);
    boolean isSchema = value instanceof Tree;
    for (FieldDescriptor field : message.getFields()) {
      if (field.getName().equals(isSchema ? "schema" : other)) {
        put(builder, field, value);
      } else if (isSchema && field.getName().equals("allows")) {
        builder.setField(field, true);
      }
    }
    return builder.buildPartial();
  }
}
