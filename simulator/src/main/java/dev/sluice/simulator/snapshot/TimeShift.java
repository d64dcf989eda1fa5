package dev.sluice.simulator.snapshot;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The move of an object from the time of its cluster to that of a simulation. */
public final class TimeShift {
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z");

  private TimeShift() {}

  /** The object with all times of its metadata and status later by an amount. */
  public static ApiObject of(ApiObject object, Duration by) {
    Tree tree = object.tree().with("metadata", shifted(object.metadata(), by));
    return new ApiObject(
        object.status().isEmpty() ? tree : tree.with("status", shifted(object.status(), by)));
  }

  private static Value shifted(Value value, Duration by) {
    return switch (value) {
      case Value.Text(String text) when TIME.matcher(text).matches() ->
          Timestamps.parse(text)
              .<Value>map(time -> new Value.Text(later(text, time.plus(by))))
              .orElse(value);
      case Tree tree -> shifted(tree, by);
      case Items items -> {
        var moved = new ArrayList<Value>();
        for (Value item : items.values()) {
          moved.add(shifted(item, by));
        }
        yield Items.of(List.copyOf(moved));
      }
      case Value.Text _, Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> value;
    };
  }

  private static Tree shifted(Tree tree, Duration by) {
    Tree moved = tree;
    for (String name : tree.names()) {
      moved = moved.with(name, shifted(tree.at(name), by));
    }
    return moved;
  }

  /** Micro times keep their form. */
  private static String later(String before, Instant time) {
    return before.contains(".") ? Timestamps.formatMicros(time) : Timestamps.format(time);
  }
}
