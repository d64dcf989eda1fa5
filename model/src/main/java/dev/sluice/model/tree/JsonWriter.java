package dev.sluice.model.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Writes one value as JSON in UTF-8, into one array that grows. Every write of an object passes
 * here, and a general generator, with its pools and contexts, takes longer to set up than our
 * objects take to write.
 */
final class JsonWriter {
  private static final int TYPICAL_BYTES = 4000;

  /** No character takes more, escaped or not, and no number that fits a long. */
  private static final int LONGEST = 20;

  private static final byte[] NULL = ascii("null");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final byte[] HEX = ascii("0123456789abcdef");

  private byte[] bytes = new byte[TYPICAL_BYTES];
  private int size;

  private JsonWriter() {}

  static byte[] bytes(Value value) {
    var writer = new JsonWriter();
    writer.write(value);
    return Arrays.copyOf(writer.bytes, writer.size);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void write(Value value) {
    switch (value) {
      case Value.Text(String text) -> quoted(text);
      case Value.Whole(long number) -> plain(ascii(Long.toString(number)));
      case Value.Decimal(var number) -> plain(ascii(number.toString()));
      case Value.Flag flag -> plain(flag == Value.Flag.TRUE ? TRUE : FALSE);
      case Value.Null _ -> plain(NULL);
      case Items(List<Value> items) -> array(items);
      case Tree tree -> object(tree);
    }
  }

  private void array(List<Value> items) {
    reserve(1);
    put('[');
    for (int i = 0; i < items.size(); i++) {
      separate(i);
      write(items.get(i));
    }
    reserve(1);
    put(']');
  }

  private void object(Tree tree) {
    byte[] kept = tree.json();
    if (kept != null) {
      plain(kept);
      return;
    }
    reserve(1);
    put('{');
    for (int i = 0; i < tree.size(); i++) {
      separate(i);
      quoted(tree.nameAt(i));
      reserve(1);
      put(':');
      write(tree.valueAt(i));
    }
    reserve(1);
    put('}');
  }

  private void separate(int index) {
    if (index > 0) {
      reserve(1);
      put(',');
    }
  }

  private void quoted(String text) {
    reserve(text.length() + 2);
    put('"');
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character >= ' ' && character < 0x80 && character != '"' && character != '\\') {
        put(character);
      } else {
        // The room for the rest stays reserved, whatever this one takes.
        reserve(text.length() - i + LONGEST);
        int point = text.codePointAt(i);
        special(point);
        i += Character.charCount(point) - 1;
      }
    }
    put('"');
  }

  private void special(int point) {
    switch (point) {
      case '"', '\\' -> escape(point);
      case '\b' -> escape('b');
      case '\f' -> escape('f');
      case '\n' -> escape('n');
      case '\r' -> escape('r');
      case '\t' -> escape('t');
      default -> {
        boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        if (point < ' ' || lone) {
          escapeUnicode(point);
        } else {
          plain(Character.toString(point).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }

  private void escape(int character) {
    put('\\');
    put(character);
  }

  /** Half a pair has no form of its own in UTF-8, but can be read back so. */
  private void escapeUnicode(int character) {
    escape('u');
    for (int shift = 12; shift >= 0; shift -= 4) {
      put(HEX[(character >> shift) & 0xF]);
    }
  }

  private void plain(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  private void put(int character) {
    bytes[size++] = (byte) character;
  }
}
