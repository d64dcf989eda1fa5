package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * The validation of {@code matchLabelKeys}, which take their values from the pod itself: they
 * narrow a selector, so there must be one.
 */
public final class LabelKeys {
  private LabelKeys() {}

  public static void check(String field, Tree term, String list, ValidationErrors problems) {
    List<String> keys = term.textItems(list);
    if (!keys.isEmpty() && !term.has("labelSelector")) {
      problems.forbidden(field, "must not be specified when labelSelector is not set");
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      problems.invalidIf(
          NameSyntax.qualifiedNameProblem(keys.get(i)), field + "[" + i + "]", keys.get(i));
    }
  }
}
