package dev.sluice.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.sluice.apiserver.protobuf.JsonShape.Special;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Null;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The conversion of messages into trees, by {@link JsonShape} and {@link ZeroValues}. */
final class MessageReader {
  private final int nesting;

  MessageReader(int nesting) {
    this.nesting = nesting;
  }

  Tree read(Message message) {
    Map<String, Value> fields = new TreeMap<>();
    message.getAllFields().forEach((field, value) -> put(field, value, fields));
    return Tree.of(fields);
  }

  private void put(FieldDescriptor field, Object value, Map<String, Value> fields) {
    String name = JsonShape.name(field);
    if (field.isMapField()) {
      fields.put(name, readMap((List<?>) value));
    } else if (field.isRepeated()) {
      fields.put(name, readList(field, (List<?>) value));
    } else if (JsonShape.inlined(field)) {
      read((Message) value).forEach(fields::put);
    } else {
      Value read = readSingle(field, value);
      if (read != Null.NULL && !(isZero(read) && ZeroValues.meansAbsent(field))) {
        fields.put(name, read);
      }
    }
  }

  private static boolean isZero(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text.isEmpty();
      case Value.Whole(long number) -> number == 0;
      case Value.Flag flag -> flag == Value.Flag.FALSE;
      case Value ignored -> false;
    };
  }

  private Tree readMap(List<?> entries) {
    Map<String, Value> fields = new TreeMap<>();
    for (Object element : entries) {
      Message entry = (Message) element;
      FieldDescriptor key = entry.getDescriptorForType().findFieldByName("key");
      FieldDescriptor value = entry.getDescriptorForType().findFieldByName("value");
      fields.put((String) entry.getField(key), readSingle(value, entry.getField(value)));
    }
    return Tree.of(fields);
  }

  private Items readList(FieldDescriptor field, List<?> elements) {
    var items = new ArrayList<Value>(elements.size());
    for (Object element : elements) {
      items.add(readSingle(field, element));
    }
    return new Items(items);
  }

  private Value readSingle(FieldDescriptor field, Object value) {
    return switch (value) {
      case Message message -> readMessage(message);
      case ByteString bytes ->
          new Value.Text(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Double number -> number(field, number);
      case Object scalar -> Value.of(scalar);
    };
  }

  private static Value number(FieldDescriptor field, double number) {
    if (!Double.isFinite(number)) {
      throw malformed(JsonShape.key(field) + " is " + number + ", which JSON cannot say");
    }
    return number == Math.rint(number) && Math.abs(number) < 1L << 53
        ? new Value.Whole((long) number)
        : new Value.Decimal(BigDecimal.valueOf(number));
  }

  private Value readMessage(Message message) {
    Optional<Special> special = JsonShape.special(message.getDescriptorForType());
    if (special.isEmpty()) {
      return read(message);
    }
    var fields = new MessageFields(message);
    return switch (special.get()) {
      case QUANTITY ->
          new Value.Text(fields.text("string").isEmpty() ? "0" : fields.text("string"));
      case TIME -> fields.has("seconds", "nanos") ? timestamp(fields, false) : Null.NULL;
      case MICRO_TIME -> fields.has("seconds", "nanos") ? timestamp(fields, true) : Null.NULL;
      case DURATION -> new Value.Text(GoDuration.format(fields.number("duration")));
      case INT_OR_STRING ->
          fields.number("type") == 0
              ? new Value.Whole(fields.number("intVal"))
              : new Value.Text(fields.text("strVal"));
      case RAW -> raw(fields.onlyBytes().toByteArray());
      case STRINGS -> list(fields, "items");
      case SCHEMA_OR_ARRAY -> schemaOr(fields, list(fields, "jSONSchemas"));
      case SCHEMA_OR_BOOL -> schemaOr(fields, Value.Flag.of(fields.flag("allows")));
      case SCHEMA_OR_STRINGS -> schemaOr(fields, list(fields, "property"));
    };
  }

  private Value schemaOr(MessageFields fields, Value other) {
    return fields.has("schema") ? read(fields.message("schema")) : other;
  }

  private Items list(MessageFields fields, String name) {
    return readList(fields.field(name), fields.list(name));
  }

  private static Value timestamp(MessageFields fields, boolean micros) {
    try {
      Instant read = Instant.ofEpochSecond(fields.number("seconds"), fields.number("nanos"));
      return new Value.Text(micros ? Timestamps.formatMicros(read) : Timestamps.format(read));
    } catch (DateTimeException | ArithmeticException outOfRange) {
      throw malformed("a time lies outside of what can be said: " + outOfRange.getMessage());
    }
  }

  private Value raw(byte[] bytes) {
    if (bytes.length == 0) {
      return Null.NULL;
    }
    try {
      return ProtobufDecoder.startsWithMagic(bytes)
          ? ProtobufDecoder.decode(bytes, nesting + 1)
          : Json.parse(bytes);
    } catch (MalformedText notJson) {
      throw malformed("embedded JSON cannot be read: " + notJson.getMessage());
    }
  }

  private static RuntimeException malformed(String why) {
    return ApiFailure.because(Reason.BAD_REQUEST, "the Protobuf body is malformed: " + why);
  }
}
