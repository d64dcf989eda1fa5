package dev.sluice.engine.placement;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** Kubernetes' label selectors and node selector terms. */
public final class LabelSelector {
  private LabelSelector() {}

  /** Whether a selector with {@code matchLabels} and {@code matchExpressions} selects labels. */
  public static boolean selects(Tree selector, SortedMap<String, String> labels) {
    return selector.texts("matchLabels").entrySet().stream()
            .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
        && selector.trees("matchExpressions").stream()
            .allMatch(expression -> matches(expression, labels));
  }

  /** Whether one expression of a key, an operator and values holds for labels. */
  public static boolean matches(Tree expression, SortedMap<String, String> labels) {
    String key = expression.text("key");
    List<String> values = expression.textItems("values");
    boolean present = labels.containsKey(key);
    String value = labels.getOrDefault(key, "");
    return switch (expression.text("operator")) {
      case "In" -> present && values.contains(value);
      case "NotIn" -> !present || !values.contains(value);
      case "Exists" -> present;
      case "DoesNotExist" -> !present;
      case "Gt" -> present && compares(value, values, 1);
      case "Lt" -> present && compares(value, values, -1);
      default -> false;
    };
  }

  private static boolean compares(String value, List<String> bounds, int sign) {
    try {
      return bounds.size() == 1
          && Long.compare(Long.parseLong(value), Long.parseLong(bounds.getFirst())) == sign;
    } catch (NumberFormatException notNumbers) {
      return false;
    }
  }
}
