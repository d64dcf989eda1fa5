package dev.sluice.simulator.load;

import dev.sluice.controllers.configuration.file.Suggestion;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.MalformedText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A trace as comma-separated values. The first line names the columns: {@code at}, and any of
 * {@code duration}, {@code pods}, {@code queue}, {@code owner}, {@code priorityClass}, {@code cpu},
 * {@code memory} and extended resources such as {@code nvidia.com/gpu}. Times are in seconds, or as
 * Go writes them. An empty value is unknown. Values have no quotes and no commas.
 */
final class CsvTrace {
  private static final List<String> COLUMNS =
      List.of("at", "duration", "pods", "queue", "owner", "priorityClass", "cpu", "memory");
  private static final int MAX_PODS = 1_000_000;

  private final List<String> columns;
  private final List<TraceJob> jobs = new ArrayList<>();

  private CsvTrace(List<String> columns) {
    this.columns = columns;
  }

  /**
   * The jobs of a trace.
   *
   * @throws MalformedText with the line
   */
  static List<TraceJob> read(String text) {
    List<String> lines = text.lines().toList();
    var trace = new CsvTrace(header(lines.isEmpty() ? "" : lines.getFirst()));
    for (int i = 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#")) {
        trace.add(new Row(i + 1, List.of(line.split(",", -1))));
      }
    }
    return trace.jobs;
  }

  private static List<String> header(String line) {
    List<String> names = Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    for (String name : names) {
      if (!COLUMNS.contains(name) && !name.contains("/")) {
        throw new MalformedText(
            "line 1: \"%s\" is no column%s; there are %s, and extended resources such as nvidia.com/gpu"
                .formatted(name, Suggestion.of(name, COLUMNS), String.join(", ", COLUMNS)));
      }
    }
    if (!names.contains("at") || new TreeSet<>(names).size() < names.size()) {
      throw new MalformedText("line 1: the columns must include at, and each only once");
    }
    return names;
  }

  private record Row(int line, List<String> values) {
    MalformedText wrong(String column, String value, String expected) {
      return new MalformedText(
          "line %d: %s is \"%s\"; it must be %s".formatted(line, column, value, expected));
    }
  }

  private void add(Row row) {
    if (row.values().size() != columns.size()) {
      throw new MalformedText(
          "line %d: it has %d values, but there are %d columns"
              .formatted(row.line(), row.values().size(), columns.size()));
    }
    Duration at =
        time(row, "at").orElseThrow(() -> row.wrong("at", "", "a time such as 90, 90s or 1m30s"));
    if (!jobs.isEmpty() && at.compareTo(jobs.getLast().at()) < 0) {
      throw row.wrong("at", value(row, "at"), "no earlier than that of the line before");
    }
    jobs.add(
        new TraceJob(
            at,
            time(row, "duration"),
            pods(row),
            value(row, "queue"),
            value(row, "owner"),
            value(row, "priorityClass"),
            requests(row)));
  }

  private String value(Row row, String column) {
    int place = columns.indexOf(column);
    return place < 0 ? "" : row.values().get(place).strip();
  }

  private Optional<Duration> time(Row row, String column) {
    String value = value(row, column);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String text = value.matches("[0-9]+(\\.[0-9]*)?") ? value + "s" : value;
    return Optional.of(
        GoDuration.parse(text)
            .orElseThrow(() -> row.wrong(column, value, "a time such as 90, 90s or 1m30s")));
  }

  private OptionalInt pods(Row row) {
    String value = value(row, "pods");
    if (value.isEmpty()) {
      return OptionalInt.empty();
    }
    if (!value.matches("[0-9]{1,7}")
        || Integer.parseInt(value) < 1
        || Integer.parseInt(value) > MAX_PODS) {
      throw row.wrong("pods", value, "a whole number from 1 to " + MAX_PODS);
    }
    return OptionalInt.of(Integer.parseInt(value));
  }

  private SortedMap<String, String> requests(Row row) {
    var requests = new TreeMap<String, String>();
    for (String column : columns) {
      boolean resource = column.equals("cpu") || column.equals("memory") || column.contains("/");
      String value = resource ? value(row, column) : "";
      if (!value.isEmpty()) {
        if (Quantity.parse(value).filter(amount -> !amount.isNegative()).isEmpty()) {
          throw row.wrong(column, value, "an amount such as 500m, 2 or 4Gi");
        }
        requests.put(column, value);
      }
    }
    return requests;
  }
}
