package dev.sluice.apiserver.http.table;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows of a custom kind, by the columns its definition declares. */
final class CustomPrinter implements Printer {
  private static final Column AGE =
      new Column(
          "Age",
          "date",
          "",
          "How long ago the object was created.",
          0,
          ".metadata.creationTimestamp");

  /** A column and its path; an invalid path leaves the column empty, as on a real server. */
  private record Reading(Column column, Optional<JsonPath> path) {}

  private final List<Reading> readings;

  CustomPrinter(List<Column> declared) {
    this.readings =
        (declared.isEmpty() ? List.of(AGE) : declared)
            .stream().map(column -> new Reading(column, path(column))).toList();
  }

  private static Optional<JsonPath> path(Column column) {
    try {
      return Optional.of(JsonPath.parse(column.jsonPath()));
    } catch (IllegalArgumentException wrong) {
      return Optional.empty();
    }
  }

  @Override
  public List<Column> columns() {
    var columns = new ArrayList<Column>();
    columns.add(Printer.name());
    for (Reading reading : readings) {
      Column declared = reading.column();
      String description =
          declared.description().isEmpty()
              ? "What stands at " + declared.jsonPath() + " of the object."
              : declared.description();
      columns.add(
          new Column(
              declared.name(),
              declared.type(),
              declared.format(),
              description,
              declared.priority(),
              declared.jsonPath()));
    }
    return columns;
  }

  @Override
  public List<Value> cells(ApiObject object, Instant now) {
    var cells = new ArrayList<Value>();
    cells.add(new Value.Text(object.name()));
    for (Reading reading : readings) {
      Optional<Value> found =
          reading.path().flatMap(path -> path.find(object.tree()).stream().findFirst());
      cells.add(
          found.map(value -> cell(reading.column().type(), value, now)).orElse(Value.Null.NULL));
    }
    return cells;
  }

  private static Value cell(String type, Value value, Instant now) {
    return switch (type) {
      case "date" -> date(value.asText(), now);
      case "integer" ->
          switch (value) {
            case Value.Whole whole -> whole;
            case Value.Decimal(var number) -> new Value.Whole(number.longValue());
            case Value.Text _, Value.Flag _, Value.Null _, Value.Container _ -> Value.Null.NULL;
          };
      case "number" ->
          value instanceof Value.Whole || value instanceof Value.Decimal ? value : Value.Null.NULL;
      case "boolean" -> value instanceof Value.Flag ? value : Value.Null.NULL;
      default -> value instanceof Value.Text ? value : new Value.Text(value.toString());
    };
  }

  private static Value date(String text, Instant now) {
    if (text.isEmpty()) {
      return Value.Null.NULL;
    }
    return new Value.Text(
        Timestamps.parse(text).map(time -> Ages.since(Optional.of(time), now)).orElse("<invalid>"));
  }
}
