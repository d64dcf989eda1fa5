package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How likely a stage is chosen among those that match.
 *
 * @param fixed what counts where the object says nothing
 * @param from where in the object to look; empty for nowhere
 */
record Weight(long fixed, List<Expression> from) {

  Weight {
    from = List.copyOf(from);
  }

  /** The weight, or nothing if the object says something that is no number. */
  OptionalLong of(Tree object, Moment moment) {
    Optional<Value> said =
        from.stream().flatMap(each -> each.evaluate(object, moment).stream()).findFirst();
    return said.isEmpty() ? OptionalLong.of(fixed) : number(said.get());
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
