package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Optional;

/** The validation of quantities, which must not be negative. */
final class QuantityRules {
  private QuantityRules() {}

  /** The quantity in a field, with a problem if there is none or it is negative. */
  static Optional<Quantity> check(String field, Value value, ValidationErrors problems) {
    Optional<Quantity> quantity = read(value);
    if (quantity.isEmpty()) {
      problems.invalid(field, value, "is not a quantity; write it like \"500m\", \"2\" or \"1Gi\"");
    } else if (quantity.get().isNegative()) {
      problems.invalid(field, value, "must be greater than or equal to 0");
    }
    return quantity;
  }

  /** Checks a list such as requests, without the resource pods, which quota counts itself. */
  static void checkResources(String field, Tree list, ValidationErrors problems) {
    list.forEach((resource, value) -> {
      String at = field + "[" + ValidationErrors.cut(resource) + "]";
      if (resource.equals("pods")) {
        problems.invalid(at, resource, "quota counts the pods itself; leave this resource out");
      }
      check(at, value, problems);
    });
  }

  private static Optional<Quantity> read(Value value) {
    return switch (value) {
      case Value.Text(String text) -> Quantity.parse(text);
      case Value.Whole _, Value.Decimal _ -> Optional.of(Quantity.of(value));
      case Value.Flag _, Value.Null _, Value.Container _ -> Optional.empty();
    };
  }
}
