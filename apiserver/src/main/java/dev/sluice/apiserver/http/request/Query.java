package dev.sluice.apiserver.http.request;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The query parameters of a request. An empty one counts as absent. */
public record Query(SortedMap<String, List<String>> values) {
  static final Query NONE = parse("");

  public Query {
    values = Collections.unmodifiableSortedMap(values);
  }

  public static Query parse(String text) {
    var values = new TreeMap<String, List<String>>();
    for (String part : text.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : part.substring(equals + 1);
      if (!name.isEmpty()) {
        values.computeIfAbsent(decode(name), ignored -> new ArrayList<>()).add(decode(value));
      }
    }
    return new Query(values);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "the query part \"%s\" is not URL-encoded".formatted(text));
    }
  }

  /** The first value, empty if there is none. */
  public String text(String name) {
    return all(name).stream().findFirst().orElse("");
  }

  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** A boolean as Go's clients write it. */
  public boolean flag(String name) {
    String text = text(name);
    return text.equals("true") || text.equals("1") || text.equals("True");
  }

  public OptionalLong whole(String name) {
    String text = text(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException other) {
      throw ApiFailure.because(
          Reason.BAD_REQUEST, "%s must be a whole number, not \"%s\"".formatted(name, text));
    }
  }
}
