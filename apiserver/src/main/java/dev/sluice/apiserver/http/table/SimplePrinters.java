package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.age;
import static dev.sluice.apiserver.http.table.Printer.ageOf;
import static dev.sluice.apiserver.http.table.Printer.name;
import static dev.sluice.apiserver.http.table.Printer.row;
import static dev.sluice.apiserver.http.table.Printer.text;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The printers of kinds whose cells are plain fields. */
final class SimplePrinters {

  record Plain(List<Column> columns, BiFunction<ApiObject, Instant, List<Value>> reading)
      implements Printer {
    @Override
    public List<Value> cells(ApiObject object, Instant now) {
      return reading.apply(object, now);
    }
  }

  static final Printer NAMESPACES =
      new Plain(
          List.of(name(), text("Status", "Whether the namespace is in use or going."), age()),
          (o, now) -> row(o.name(), o.status().text("phase"), ageOf(o, now)));

  static final Printer CONFIG_MAPS =
      new Plain(
          List.of(name(), text("Data", "How many entries it holds."), age()),
          (o, now) -> row(o.name(), entries(o), ageOf(o, now)));

  static final Printer SECRETS =
      new Plain(
          List.of(
              name(),
              text("Type", "What the secret is for."),
              text("Data", "How many entries it holds."),
              age()),
          (o, now) -> row(o.name(), o.tree().text("type"), entries(o), ageOf(o, now)));

  static final Printer SERVICE_ACCOUNTS =
      new Plain(List.of(name(), age()), (o, now) -> row(o.name(), ageOf(o, now)));

  static final Printer LEASES =
      new Plain(
          List.of(name(), text("Holder", "Who holds the lease."), age()),
          (o, now) -> row(o.name(), o.spec().text("holderIdentity"), ageOf(o, now)));

  static final Printer RUNTIME_CLASSES =
      new Plain(
          List.of(name(), text("Handler", "Who runs the containers."), age()),
          (o, now) -> row(o.name(), o.tree().text("handler"), ageOf(o, now)));

  static final Printer RESOURCE_QUOTAS =
      new Plain(
          List.of(
              name(),
              text("Request", "What is used and may be used, but for limits."),
              text("Limit", "What is used and may be used of limits."),
              age()),
          (o, now) -> row(o.name(), used(o, false), used(o, true), ageOf(o, now)));

  static final Printer PRIORITY_CLASSES =
      new Plain(
          List.of(
              name(),
              new Column("Value", "integer", "", "Higher goes first.", 0, ""),
              new Column("Global-Default", "boolean", "", "Used where none is named.", 0, ""),
              age(),
              text("PreemptionPolicy", "Whether its pods may displace others.")),
          (o, now) ->
              row(
                  o.name(),
                  o.tree().whole("value").orElse(0),
                  o.tree().flag("globalDefault"),
                  ageOf(o, now),
                  o.tree().text("preemptionPolicy")));

  /** The printer of kinds that have no columns of their own. */
  static final Printer CREATED_AT =
      new Plain(
          List.of(
              name(), new Column("Created At", "date", "", "When the object was created.", 0, "")),
          (o, now) -> row(o.name(), o.metadata().text("creationTimestamp")));

  private SimplePrinters() {}

  private static String used(ApiObject quota, boolean limits) {
    Tree hard = quota.status().tree("hard");
    return hard.names().stream()
        .filter(resource -> resource.startsWith("limits.") == limits)
        .map(resource ->
            "%s: %s/%s"
                .formatted(
                    resource,
                    Quantity.of(quota.status().at("used", resource)),
                    Quantity.of(hard.at(resource))))
        .collect(Collectors.joining(", "));
  }

  private static int entries(ApiObject object) {
    return object.tree().tree("data").size() + object.tree().tree("binaryData").size();
  }
}
