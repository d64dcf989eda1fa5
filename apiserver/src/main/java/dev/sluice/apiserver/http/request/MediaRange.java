package dev.sluice.apiserver.http.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One clause of an Accept header, or a Content-Type. */
public record MediaRange(String type, Map<String, String> parameters) {

  /** The clauses of a header, the most preferred first. */
  static List<MediaRange> parseAll(String header) {
    var ranges = new ArrayList<MediaRange>();
    for (String clause : header.split(",", -1)) {
      if (!clause.isBlank()) {
        ranges.add(parse(clause));
      }
    }
    ranges.removeIf(range -> range.quality() <= 0);
    ranges.sort(Comparator.comparingDouble(MediaRange::quality).reversed());
    return ranges;
  }

  public static MediaRange parse(String clause) {
    String[] parts = clause.split(";", -1);
    var parameters = new TreeMap<String, String>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        String value = parts[i].substring(equals + 1).strip();
        parameters.put(
            parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT),
            value.replace("\"", ""));
      }
    }
    return new MediaRange(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
  }

  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }

  private double quality() {
    try {
      return parameters.containsKey("q") ? Double.parseDouble(parameter("q")) : 1;
    } catch (NumberFormatException malformed) {
      return 1;
    }
  }
}
