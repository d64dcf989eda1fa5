package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.Problems;
import dev.sluice.model.Syntax;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/** Label selectors as they stand in objects: {@code matchLabels} and {@code matchExpressions}. */
final class Selectors {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private Selectors() {}

  static boolean matches(Tree selector, Map<String, String> labels) {
    boolean equal =
        selector.texts("matchLabels").entrySet().stream()
            .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    return equal
        && selector.trees("matchExpressions").stream()
            .allMatch(expression -> holds(expression, labels));
  }

  private static boolean holds(Tree expression, Map<String, String> labels) {
    String key = expression.text("key");
    List<String> values = expression.textItems("values");
    return switch (expression.text("operator")) {
      case "In" -> labels.containsKey(key) && values.contains(labels.get(key));
      case "NotIn" -> !labels.containsKey(key) || !values.contains(labels.get(key));
      case "Exists" -> labels.containsKey(key);
      case "DoesNotExist" -> !labels.containsKey(key);
      default -> false;
    };
  }

  static void check(String field, Tree selector, Problems problems) {
    problems.labels(field + ".matchLabels", selector.texts("matchLabels"));
    List<Tree> expressions = selector.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      String at = "%s.matchExpressions[%d]".formatted(field, i);
      Tree expression = expressions.get(i);
      String operator = expression.text("operator");
      problems.oneOf(at + ".operator", operator, OPERATORS);
      boolean wantsValues = operator.equals("In") || operator.equals("NotIn");
      boolean hasValues = !expression.items("values").isEmpty();
      if (wantsValues && !hasValues) {
        problems.required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
      }
      if (!wantsValues && hasValues) {
        problems.forbidden(
            at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      problems.invalidIf(
          Syntax.qualifiedNameProblem(expression.text("key")), at + ".key", expression.text("key"));
    }
  }
}
