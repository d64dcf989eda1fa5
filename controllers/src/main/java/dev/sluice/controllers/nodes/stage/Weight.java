package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The weight of a stage among those that match.
 *
 * @param fixed the default where the object has none
 * @param from the expression that finds it in the object; empty for none
 */
record Weight(long fixed, List<Expression> from) {

  Weight {
    from = List.copyOf(from);
  }

  /** The weight, or empty if the value in the object is not a number. */
  OptionalLong of(Tree object, Moment moment) {
    Optional<Value> found =
        from.stream().flatMap(each -> each.evaluate(object, moment).stream()).findFirst();
    return found.isEmpty() ? OptionalLong.of(fixed) : number(found.get());
  }

  private static OptionalLong number(Value value) {
    try {
      return switch (value) {
        case Value.Whole(long number) -> OptionalLong.of(number);
        case Value.Decimal(BigDecimal number) -> OptionalLong.of(number.longValue());
        case Value.Text(String text) -> OptionalLong.of(Long.parseLong(text));
        case Value.Flag _, Value.Null _, Value.Container _ -> OptionalLong.empty();
      };
    } catch (NumberFormatException malformed) {
      return OptionalLong.empty();
    }
  }
}
