package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.LabelSelector;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/**
 * The validation of label selectors in objects: {@code matchLabels} and {@code matchExpressions}.
 */
public final class SelectorValidation {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private SelectorValidation() {}

  public static boolean matches(Tree selector, Map<String, String> labels) {
    return new LabelSelector(selector).matches(labels);
  }

  public static void check(String field, Tree selector, ValidationErrors problems) {
    problems.labels(field + ".matchLabels", selector.texts("matchLabels"));
    List<Tree> expressions = selector.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      String at = "%s.matchExpressions[%d]".formatted(field, i);
      Tree expression = expressions.get(i);
      String operator = expression.text("operator");
      if (!OPERATORS.contains(operator)) {
        problems.invalid(at + ".operator", operator, "not a valid selector operator");
      }
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
          NameSyntax.qualifiedNameProblem(expression.text("key")),
          at + ".key",
          expression.text("key"));
    }
  }
}
