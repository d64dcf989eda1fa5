package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.apiserver.registry.rules.Edits;
import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;

/** The rules of RuntimeClasses: the handler of containers, and the overhead of their pods. */
public final class RuntimeClassRules implements KindRules {

  @Override
  public ApiObject withDefaults(ApiObject object) {
    return new ApiObject(
        Edits.inside(
            object.tree(),
            "overhead",
            overhead -> Edits.inside(overhead, "podFixed", QuantityValidation::canonical)));
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    Tree tree = object.tree();
    String handler = tree.text("handler");
    problems.invalidIf(NameSyntax.labelProblem(handler), "handler", handler);
    QuantityValidation.check("overhead.podFixed", tree.tree("overhead", "podFixed"), problems);
    problems.labels("scheduling.nodeSelector", tree.texts("scheduling", "nodeSelector"));
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    problems.immutable("handler", before.tree().text("handler"), after.tree().text("handler"));
  }
}
