package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The validation of a container's restart policy and rules. */
final class RestartValidation {
  private static final int MAX_RULES = 20;
  private static final int MAX_EXIT_CODES = 255;
  private static final List<String> ACTIONS = List.of("Restart", "RestartAllContainers");
  private static final List<String> OPERATORS = List.of("In", "NotIn");

  private RestartValidation() {}

  static void check(String field, Tree container, ValidationErrors problems) {
    boolean decides = container.has("restartPolicy");
    if (decides) {
      problems.oneOf(
          field + ".restartPolicy",
          container.text("restartPolicy"),
          PodValidation.RESTART_POLICIES);
    }
    List<Tree> rules = container.trees("restartPolicyRules");
    if (rules.isEmpty()) {
      return;
    }
    if (!decides) {
      problems.required(
          field + ".restartPolicy", "must specify restartPolicy when restart rules are used");
      return;
    }
    problems.atMostItems(field + ".restartPolicyRules", rules.size(), MAX_RULES);
    for (int i = 0; i < rules.size(); i++) {
      checkRule("%s.restartPolicyRules[%d]".formatted(field, i), rules.get(i), problems);
    }
  }

  private static void checkRule(String at, Tree rule, ValidationErrors problems) {
    problems.oneOf(at + ".action", rule.text("action"), ACTIONS);
    if (!rule.has("exitCodes")) {
      problems.required(at + ".exitCodes", "must be specified");
      return;
    }
    Tree codes = rule.tree("exitCodes");
    problems.oneOf(at + ".exitCodes.operator", codes.text("operator"), OPERATORS);
    problems.atMostItems(at + ".exitCodes.values", codes.items("values").size(), MAX_EXIT_CODES);
  }
}
