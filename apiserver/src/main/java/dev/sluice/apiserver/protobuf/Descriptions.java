package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The descriptions of the messages and their fields, which are part of Kubernetes' API and are
 * shown by {@code kubectl explain}. {@code dev/Descriptions.java} makes the file.
 */
final class Descriptions {
  private static final String FILE = "descriptions.gz";

  /** By message, or by message and field. */
  private final Map<String, String> texts = new TreeMap<>();

  private Descriptions() {}

  static Descriptions load() {
    var descriptions = new Descriptions();
    var file = Objects.requireNonNull(Descriptions.class.getResourceAsStream(FILE), FILE);
    try (var reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(file), StandardCharsets.UTF_8))) {
      String message = "";
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        int tab = line.indexOf('\t');
        String name = line.substring(0, tab);
        message = name.startsWith("#") ? name.substring(1) : message;
        String key = name.startsWith("#") ? message : message + "." + name;
        descriptions.texts.put(key, unescaped(line.substring(tab + 1)));
      }
      return descriptions;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String unescaped(String text) {
    var unescaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
        unescaped.append(text.charAt(i) == 'n' ? '\n' : text.charAt(i));
      } else {
        unescaped.append(text.charAt(i));
      }
    }
    return unescaped.toString();
  }

  Optional<String> of(Descriptor message) {
    return Optional.ofNullable(texts.get(message.getFullName()));
  }

  Optional<String> of(FieldDescriptor field) {
    return Optional.ofNullable(
        texts.get(field.getContainingType().getFullName() + "." + field.getName()));
  }
}
