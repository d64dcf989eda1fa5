package dev.sluice.apiserver.http.table;

import static dev.sluice.apiserver.http.table.Printer.text;
import static dev.sluice.apiserver.http.table.Printer.wide;

import dev.sluice.apiserver.registry.kind.ServedKind.Column;
import dev.sluice.apiserver.registry.rules.core.EventNames;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of events. */
final class EventPrinter implements Printer {

  @Override
  public List<Column> columns() {
    return List.of(
        text("Last Seen", "How long ago it happened last."),
        text("Type", "Normal or Warning."),
        text("Reason", "Why, in one word."),
        text("Object", "The object it is about."),
        wide("Subobject", "The part of that object."),
        wide("Source", "Who reports it."),
        text("Message", "What happened."),
        wide("First Seen", "How long ago it happened first."),
        wide("Count", "How often it has happened."),
        new Column("Name", "string", "name", "The name of the event.", 1, ""));
  }

  @Override
  public List<Value> cells(ApiObject event, Instant now) {
    Tree fields = EventNames.core(event);
    Tree about = fields.tree("involvedObject");
    String first = first(fields.text("firstTimestamp"), fields.text("eventTime"));
    String last =
        first(fields.text("series", "lastObservedTime"), fields.text("lastTimestamp"), first);
    long count = fields.whole("series", "count").orElse(fields.whole("count").orElse(1));
    return Printer.row(
        Ages.since(last, now),
        fields.text("type"),
        fields.text("reason"),
        about.text("kind").toLowerCase(Locale.ROOT) + "/" + about.text("name"),
        about.text("fieldPath"),
        source(fields),
        fields.text("message").strip(),
        Ages.since(first, now),
        count,
        event.name());
  }

  private static String source(Tree event) {
    String component = first(event.text("source", "component"), event.text("reportingComponent"));
    String host = first(event.text("source", "host"), event.text("reportingInstance"));
    return Stream.of(component, host)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String first(String... texts) {
    return Stream.of(texts).filter(text -> !text.isEmpty()).findFirst().orElse("");
  }
}
