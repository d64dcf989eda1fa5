package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.regex.Pattern;

/** The rules of PodDisruptionBudgets, which have either minAvailable or maxUnavailable. */
public final class DisruptionBudgetRules implements KindRules {
  private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
  private static final Pattern TOO_MUCH =
      Pattern.compile("0*(?:10[1-9]|1[1-9]\\d|[2-9]\\d\\d|\\d{4,})%");

  @Override
  public void check(ApiObject budget, ValidationErrors problems) {
    Tree spec = budget.spec();
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      problems.invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
    }
    for (String field : List.of("minAvailable", "maxUnavailable")) {
      checkAmount("spec." + field, spec.at(field), problems);
    }
    if (spec.has("unhealthyPodEvictionPolicy")) {
      problems.oneOf(
          "spec.unhealthyPodEvictionPolicy",
          spec.text("unhealthyPodEvictionPolicy"),
          List.of("AlwaysAllow", "IfHealthyBudget"));
    }
    SelectorValidation.check("spec.selector", spec.tree("selector"), problems);
  }

  private static void checkAmount(String field, Value amount, ValidationErrors problems) {
    if (amount instanceof Value.Whole(long number)) {
      problems.notNegative(field, number);
    } else if (amount instanceof Value.Text(String text)) {
      if (!PERCENT.matcher(text).matches()) {
        problems.invalid(
            field,
            text,
            "a valid percent string must be a numeric string followed by an ending '%' (e.g."
                + " '1%',  or '93%', regex used for validation is '[0-9]+%')");
      } else if (TOO_MUCH.matcher(text).matches()) {
        problems.invalid(field, text, "must not be greater than 100%");
      }
    }
  }
}
