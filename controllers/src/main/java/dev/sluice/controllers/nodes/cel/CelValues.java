package dev.sluice.controllers.nodes.cel;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;

/** The conversion of objects into variables of expressions. */
public final class CelValues {
  /** The fields of nodes and pods that are timestamps, not strings, in KWOK's metrics. */
  private static final List<String> TIMESTAMPS =
      List.of(
          "creationTimestamp",
          "deletionTimestamp",
          "finishedAt",
          "lastHeartbeatTime",
          "lastTransitionTime",
          "startTime",
          "startedAt");

  private CelValues() {}

  /** An object in Java's own types, without nulls. */
  public static Object plain(Value value) {
    return plain(value, false);
  }

  /** The same with the times of nodes and pods as timestamps. */
  public static Object timed(Value value) {
    return plain(value, true);
  }

  private static Object plain(Value value, boolean timed) {
    return switch (value) {
      case Value.Text(String text) -> text;
      case Value.Whole(long number) -> number;
      case Value.Decimal(BigDecimal number) -> number.doubleValue();
      case Value.Flag flag -> flag == Value.Flag.TRUE;
      case Value.Null _ -> "";
      case Items(List<Value> items) ->
          items.stream()
              .filter(item -> item != Value.Null.NULL)
              .map(item -> plain(item, timed))
              .toList();
      case Tree tree -> {
        var map = new LinkedHashMap<String, Object>();
        tree.forEach((name, child) -> {
          if (child != Value.Null.NULL) {
            map.put(
                name, timed && TIMESTAMPS.contains(name) ? timestamp(child) : plain(child, timed));
          }
        });
        yield map;
      }
    };
  }

  private static Object timestamp(Value value) {
    return Timestamps.parse(value.asText()).<Object>map(at -> at).orElse(value.asText());
  }
}
