package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.Optional;

/**
 * The canonical form and the validation of resource lists, such as requests, limits and capacities.
 */
public final class QuantityValidation {
  private QuantityValidation() {}

  /** The list with every quantity in its canonical form; invalid ones stay as they are. */
  public static Tree canonical(Tree list) {
    Tree canonical = list;
    for (String resource : list.names()) {
      Value value = list.at(resource);
      boolean settled =
          value instanceof Value.Text(String text) && Quantity.isPlainlyCanonical(text);
      Optional<Quantity> quantity = settled ? Optional.empty() : parse(value);
      if (quantity.isPresent()) {
        canonical = canonical.with(resource, quantity.get().toString());
      }
    }
    return canonical;
  }

  /** The quantity in a field, if the field holds one. */
  public static Optional<Quantity> parse(Value value) {
    return switch (value) {
      case Value.Text(String text) -> Quantity.parse(text);
      case Value.Whole _, Value.Decimal _ -> Optional.of(Quantity.of(value));
      case Value.Flag _, Value.Null _, Value.Container _ -> Optional.empty();
    };
  }

  /**
   * Validates a list: every name must be valid, and every quantity must be set and not negative.
   */
  public static void check(String field, Tree list, ValidationErrors problems) {
    list.forEach((resource, value) -> {
      String at = field + "[" + resource + "]";
      problems.invalidIf(NameSyntax.qualifiedNameProblem(resource), field, resource);
      Optional<Quantity> quantity = parse(value);
      if (quantity.isEmpty()) {
        problems.invalid(
            at, plain(value), "is not a quantity; write it like \"500m\", \"2\" or \"1Gi\"");
      } else if (quantity.get().isNegative()) {
        problems.invalid(at, plain(value), "must be greater than or equal to 0");
      }
    });
  }

  private static Object plain(Value value) {
    return value instanceof Value.Text(String text) ? text : value;
  }
}
