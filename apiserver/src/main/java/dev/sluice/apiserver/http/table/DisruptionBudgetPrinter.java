package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.text;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;

/** Rows of disruption budgets. */
final class DisruptionBudgetPrinter implements Printer {

  @Override
  public List<Column> columns() {
    return List.of(
        name(),
        text("Min Available", "How many pods must stay."),
        text("Max Unavailable", "How many pods may be missing."),
        new Column("Allowed Disruptions", "integer", "", "How many pods may go now.", 0, ""),
        Printer.age());
  }

  @Override
  public List<Value> cells(ApiObject budget, Instant now) {
    return Printer.row(
        budget.name(),
        amount(budget.spec().at("minAvailable")),
        amount(budget.spec().at("maxUnavailable")),
        budget.status().whole("disruptionsAllowed").orElse(0),
        Printer.ageOf(budget, now));
  }

  private static String amount(Value value) {
    return switch (value) {
      case Value.Whole(long number) -> Long.toString(number);
      case Value.Text(String text) -> text;
      default -> "N/A";
    };
  }
}
