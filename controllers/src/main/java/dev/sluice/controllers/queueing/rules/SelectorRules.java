package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The validation of label selectors. */
final class SelectorRules {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private SelectorRules() {}

  static void check(String field, Tree selector, ValidationErrors problems) {
    problems.labels(field + ".matchLabels", selector.texts("matchLabels"));
    List<Tree> expressions = selector.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      checkExpression(field + ".matchExpressions[" + i + "]", expressions.get(i), problems);
    }
  }

  private static void checkExpression(String at, Tree expression, ValidationErrors problems) {
    String key = expression.text("key");
    String operator = expression.text("operator");
    problems.invalidIf(NameSyntax.qualifiedNameProblem(key), at + ".key", key);
    problems.oneOf(at + ".operator", operator, OPERATORS);
    boolean compares = operator.equals("In") || operator.equals("NotIn");
    boolean hasValues = !expression.items("values").isEmpty();
    if (compares && !hasValues) {
      problems.required(at + ".values", "the operators In and NotIn need at least one");
    }
    if (!compares && hasValues) {
      problems.forbidden(at + ".values", "the operators Exists and DoesNotExist take none");
    }
  }
}
