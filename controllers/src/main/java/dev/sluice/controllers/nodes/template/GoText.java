package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.List;

/** The text form of values in Go, and their truth. */
final class GoText {
  private GoText() {}

  /** A value as an action writes it. */
  static String of(Value value) {
    return value == Value.Null.NULL ? "<no value>" : inside(value);
  }

  /** A value nested in another, where Go writes a missing one differently. */
  static String inside(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text;
      case Value.Whole(long number) -> Long.toString(number);
      case Value.Decimal(BigDecimal number) ->
          Numbers.isPlain(number) ? number.stripTrailingZeros().toPlainString() : number.toString();
      case Value.Flag flag -> flag == Value.Flag.TRUE ? "true" : "false";
      case Value.Null _ -> "<nil>";
      case Items(List<Value> values) ->
          "[" + String.join(" ", values.stream().map(GoText::inside).toList()) + "]";
      case Tree tree -> {
        var fields = tree.names().stream().map(name -> name + ":" + inside(tree.at(name))).toList();
        yield "map[" + String.join(" ", fields) + "]";
      }
    };
  }

  /** Whether a value is true: not empty, zero or false. */
  static boolean isTrue(Value value) {
    return switch (value) {
      case Value.Text(String text) -> !text.isEmpty();
      case Value.Whole(long number) -> number != 0;
      case Value.Decimal(BigDecimal number) -> number.signum() != 0;
      case Value.Flag flag -> flag == Value.Flag.TRUE;
      case Value.Null _ -> false;
      case Items(List<Value> values) -> !values.isEmpty();
      case Tree tree -> !tree.isEmpty();
    };
  }

  static String quote(String text) {
    // Nearly every string is plain, and templates quote all the time.
    boolean plain =
        text.chars().allMatch(letter -> letter >= ' ' && letter != '"' && letter != '\\');
    return plain ? '"' + text + '"' : Json.write(new Value.Text(text));
  }
}
