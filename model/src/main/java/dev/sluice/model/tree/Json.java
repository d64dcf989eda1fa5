package dev.sluice.model.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The JSON form of trees. Equal trees are written as equal bytes. */
public final class Json {
  private static final int MAX_DEPTH = 500;
  private static final int TYPICAL_BYTES = 4000;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          // Threads are virtual, so buffers per thread would be allocated for every write.
          .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
          // As Kubernetes writes strings: non-ASCII characters unescaped, and lower case in
          // escapes.
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .build();

  private Json() {}

  public static Value parse(String json) {
    return parse(json.getBytes(StandardCharsets.UTF_8));
  }

  public static Value parse(byte[] json) {
    return parse(json, ignored -> {});
  }

  /** Parses one document, and reports the path of each duplicate name to {@code duplicates}. */
  public static Value parse(byte[] json, Consumer<String> duplicates) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() == null) {
        throw new MalformedText("the text is empty");
      }
      Value value = new Reader(parser, duplicates).read();
      if (parser.nextToken() != null) {
        throw new MalformedText("something follows the end of the document");
      }
      return value;
    } catch (JsonProcessingException malformed) {
      throw new MalformedText(where(malformed.getLocation()) + malformed.getOriginalMessage());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String where(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : "line %d, column %d: ".formatted(location.getLineNr(), location.getColumnNr());
  }

  /** The document as a tree. */
  public static Tree parseTree(byte[] json) {
    if (parse(json) instanceof Tree tree) {
      return tree;
    }
    throw new MalformedText("the document is not an object");
  }

  public static String write(Value value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  public static byte[] bytes(Value value) {
    var bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
    try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
      new JsonWriter(generator, true).write(value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** The value as indented JSON, for people. */
  public static String writePretty(Value value) {
    var text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      generator.setPrettyPrinter(
          new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));
      new JsonWriter(generator, false).write(value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private record Reader(JsonParser parser, Consumer<String> duplicates) {

    Value read() throws IOException {
      return switch (parser.currentToken()) {
        case START_OBJECT -> readTree();
        case START_ARRAY -> readItems();
        case VALUE_STRING -> new Value.Text(parser.getText());
        case VALUE_TRUE -> Value.Flag.TRUE;
        case VALUE_FALSE -> Value.Flag.FALSE;
        case VALUE_NULL -> Value.Null.NULL;
        case VALUE_NUMBER_INT ->
            parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? new Value.Decimal(parser.getDecimalValue())
                : new Value.Whole(parser.getLongValue());
        case VALUE_NUMBER_FLOAT -> new Value.Decimal(parser.getDecimalValue());
        default -> throw new MalformedText("unexpected " + parser.currentToken());
      };
    }

    private Tree readTree() throws IOException {
      var fields = new TreeBuilder();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        if (!fields.put(name, read())) {
          duplicates.accept(path(parser.getParsingContext(), name));
        }
      }
      return fields.build();
    }

    private Items readItems() throws IOException {
      var items = new ArrayList<Value>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(read());
      }
      return items.isEmpty() ? Items.EMPTY : new Items(items);
    }

    /** The path of a field of the object that is being read. */
    private static String path(JsonStreamContext object, String name) {
      String path = name;
      boolean beforeIndex = false;
      for (var above = object.getParent(); !above.inRoot(); above = above.getParent()) {
        String step =
            above.inArray() ? "[" + above.getCurrentIndex() + "]" : above.getCurrentName();
        path = step + (beforeIndex ? "" : ".") + path;
        beforeIndex = above.inArray();
      }
      return path;
    }
  }
}
