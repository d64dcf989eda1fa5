package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Optional;

/** Quantities must be quantities, and none may be below zero, however large they are. */
final class QuantityRules {
  private QuantityRules() {}

  /** The quantity in a field, or a problem if it holds none or one below zero. */
  static Optional<Quantity> check(String field, Value value, ValidationErrors problems) {
    Optional<Quantity> quantity = read(value);
    if (quantity.isEmpty()) {
      problems.invalid(field, value, "is not a quantity; write it like \"500m\", \"2\" or \"1Gi\"");
    } else if (quantity.get().isNegative()) {
      problems.invalid(field, value, "must be greater than or equal to 0");
    }
    return quantity;
  }

  /** A list such as requests, in which nobody may ask for the pods that quota counts itself. */
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
