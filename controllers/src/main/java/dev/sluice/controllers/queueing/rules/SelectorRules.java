package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** Label selectors must be ones that can be evaluated. */
final class SelectorRules {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private SelectorRules() {}

  static void check(String field, Tree selector, ValidationErrors problems) {
    problems.labels(field + ".matchLabels", selector.texts("matchLabels"));
    List<Tree> demands = selector.trees("matchExpressions");
    for (int i = 0; i < demands.size(); i++) {
      checkDemand(field + ".matchExpressions[" + i + "]", demands.get(i), problems);
    }
  }

  private static void checkDemand(String at, Tree demand, ValidationErrors problems) {
    String key = demand.text("key");
    String operator = demand.text("operator");
    problems.invalidIf(NameSyntax.qualifiedNameProblem(key), at + ".key", key);
    problems.oneOf(at + ".operator", operator, OPERATORS);
    boolean compares = operator.equals("In") || operator.equals("NotIn");
    boolean hasValues = !demand.items("values").isEmpty();
    if (compares && !hasValues) {
      problems.required(at + ".values", "the operators In and NotIn need at least one");
    }
    if (!compares && hasValues) {
      problems.forbidden(at + ".values", "the operators Exists and DoesNotExist take none");
    }
  }
}
