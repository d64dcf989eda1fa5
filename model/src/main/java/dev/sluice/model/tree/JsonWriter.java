package dev.sluice.model.tree;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/**
 * The writer of values with Jackson's generator. Every write of an object passes here.
 *
 * @param copies whether JSON that a tree keeps is copied; not where the output is indented
 */
record JsonWriter(JsonGenerator generator, boolean copies) {

  void write(Value value) throws IOException {
    switch (value) {
      case Value.Text(String text) -> generator.writeString(text);
      case Value.Whole(long number) -> generator.writeNumber(number);
      case Value.Decimal(var number) -> generator.writeNumber(number);
      case Value.Flag flag -> generator.writeBoolean(flag == Value.Flag.TRUE);
      case Value.Null _ -> generator.writeNull();
      case Items(List<Value> items) -> array(items);
      case Tree tree -> object(tree);
    }
  }

  private void array(List<Value> items) throws IOException {
    generator.writeStartArray();
    for (Value item : items) {
      write(item);
    }
    generator.writeEndArray();
  }

  private void object(Tree tree) throws IOException {
    byte[] kept = tree.json();
    if (kept != null && copies) {
      generator.writeRawValue(new KeptJson(kept));
      return;
    }
    generator.writeStartObject();
    for (int i = 0; i < tree.size(); i++) {
      generator.writeFieldName(tree.nameAt(i));
      write(tree.valueAt(i));
    }
    generator.writeEndObject();
  }
}
