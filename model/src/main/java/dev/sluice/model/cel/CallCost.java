package dev.sluice.model.cel;

import java.util.Collection;
import java.util.List;

/**
 * The cost of a call, by the arguments alone, so that it is known before there is a result.
 *
 * <p>A function that traverses its arguments costs as much as their weight. One that compares each
 * element with each costs the product. One whose result may be larger than its arguments costs the
 * weight of the result.
 */
final class CallCost {
  /** Functions that compare each element of one argument with each of the other. */
  private static final List<String> SQUARE = List.of("list_distinct", "list_sort");

  private static final String SETS = "list_sets_";
  private static final long MAX_FACTOR = 1_000_000_000;

  private CallCost() {}

  /**
   * @param enough the cost above which any number will do
   */
  static long of(String overload, Object[] arguments, long enough) {
    if (isConstant(overload)) {
      return 0;
    }
    return switch (overload) {
      case "string_replace_string_string", "string_replace_string_string_int" ->
          replaced(arguments);
      case "string_split_string", "string_split_string_int" ->
          occurrences((String) arguments[0], (String) arguments[1]);
      case "list_join", "list_join_string" -> joined(arguments, enough);
      case "equals", "_==_", "not_equals", "_!=_" ->
          Math.min(weight(arguments[0], enough), weight(arguments[1], enough)) / 10;
      default -> traversal(overload, arguments, enough);
    };
  }

  /** Whether the cost does not depend on the size of the arguments. */
  private static boolean isConstant(String overload) {
    return overload.startsWith("index_")
        || overload.startsWith("size_")
        || overload.endsWith("_size")
        || overload.startsWith("optional")
        || overload.contains("optindex")
        || overload.equals("select_optional_field");
  }

  private static long traversal(String overload, Object[] arguments, long enough) {
    long sum = 0;
    long product = 1;
    for (Object argument : arguments) {
      long weight = Math.min(weight(argument, enough), MAX_FACTOR);
      sum += weight;
      product *= Math.max(1, weight);
    }
    if (SQUARE.contains(overload)) {
      return product * product;
    }
    return overload.startsWith(SETS) ? product : sum;
  }

  private static long weight(Object argument, long enough) {
    return Weights.of(argument, enough);
  }

  private static long replaced(Object[] arguments) {
    var text = (String) arguments[0];
    var old = (String) arguments[1];
    long most =
        arguments.length > 3 && (Long) arguments[3] >= 0 ? (Long) arguments[3] : text.length() + 1L;
    long times = Math.min(most, occurrences(text, old));
    long growth = Math.max(0, ((String) arguments[2]).length() - (long) old.length());
    return (text.length() + times * growth) / 10 + times / 10;
  }

  /** One more than a string occurs in a text; an empty one occurs around each character. */
  private static long occurrences(String text, String wanted) {
    if (wanted.isEmpty()) {
      return text.length() + 1L;
    }
    long count = 1;
    for (int at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length())) {
      count++;
    }
    return count;
  }

  private static long joined(Object[] arguments, long enough) {
    long elements = ((Collection<?>) arguments[0]).size();
    long separator = arguments.length > 1 ? ((String) arguments[1]).length() : 0;
    return weight(arguments[0], enough) + elements * separator / 10;
  }
}
