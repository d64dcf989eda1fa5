package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One requirement of a label selector on the label with a key. */
public record LabelRequirement(String key, Operator operator, List<String> values) {

  /** What a requirement asks of its label. */
  public enum Operator {
    /** The label has one of the values. */
    IN,
    /** The label has none of the values, or is not there. */
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    /** The label is a whole number above the only value; only query strings can ask for it. */
    GREATER_THAN,
    /** The label is a whole number below the only value; only query strings can ask for it. */
    LESS_THAN,
    /** An operator that label selectors do not have: the requirement is never met. */
    UNKNOWN;

    private static Operator named(String operator) {
      return switch (operator) {
        case "In" -> IN;
        case "NotIn" -> NOT_IN;
        case "Exists" -> EXISTS;
        case "DoesNotExist" -> DOES_NOT_EXIST;
        default -> UNKNOWN;
      };
    }
  }

  public LabelRequirement {
    values = List.copyOf(values);
  }

  /** The requirement of an element of {@code matchExpressions}. */
  static LabelRequirement of(Tree expression) {
    return new LabelRequirement(
        expression.text("key"),
        Operator.named(expression.text("operator")),
        expression.textItems("values"));
  }

  /** Whether a label with this value meets the requirement; null stands for a missing label. */
  boolean accepts(@Nullable String value) {
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER_THAN -> value != null && compare(value, values.getFirst()) > 0;
      case LESS_THAN -> value != null && compare(value, values.getFirst()) < 0;
      case UNKNOWN -> false;
    };
  }

  /** Zero, so neither above nor below, unless both are whole numbers. */
  private static int compare(String value, String bound) {
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(bound));
    } catch (NumberFormatException notNumeric) {
      return 0;
    }
  }
}
