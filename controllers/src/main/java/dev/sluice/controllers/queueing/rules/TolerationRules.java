package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The validation of toleration keys, which must be valid keys of taints; schemas check the rest.
 */
final class TolerationRules {
  private TolerationRules() {}

  static void check(String field, List<Tree> tolerations, ValidationErrors problems) {
    for (int i = 0; i < tolerations.size(); i++) {
      String key = tolerations.get(i).text("key");
      if (!key.isEmpty()) {
        problems.invalidIf(NameSyntax.qualifiedNameProblem(key), field + "[" + i + "].key", key);
      }
    }
  }
}
