package dev.sluice.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;

/** The fields of a message by name; one that is not set reads as its zero value. */
record MessageFields(Message message) {

  FieldDescriptor field(String name) {
    FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
    if (field == null) {
      throw new IllegalStateException(
          message.getDescriptorForType().getFullName() + " has no field " + name);
    }
    return field;
  }

  boolean has(String... names) {
    for (String name : names) {
      if (message.hasField(field(name))) {
        return true;
      }
    }
    return false;
  }

  String text(String name) {
    return (String) message.getField(field(name));
  }

  long number(String name) {
    return ((Number) message.getField(field(name))).longValue();
  }

  boolean flag(String name) {
    return (Boolean) message.getField(field(name));
  }

  ByteString bytes(String name) {
    return (ByteString) message.getField(field(name));
  }

  /** The content of the first field, whatever its name. */
  ByteString onlyBytes() {
    return (ByteString) message.getField(message.getDescriptorForType().getFields().getFirst());
  }

  Message message(String name) {
    return (Message) message.getField(field(name));
  }

  List<?> list(String name) {
    return (List<?>) message.getField(field(name));
  }
}
