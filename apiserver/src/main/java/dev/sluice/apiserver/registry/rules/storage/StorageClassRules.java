package dev.sluice.apiserver.registry.rules.storage;

import static dev.sluice.apiserver.registry.rules.Edits.orElse;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.SemanticEquality;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Locale;

/** The rules of StorageClasses: the fields that claims depend on are immutable. */
public final class StorageClassRules implements KindRules {

  @Override
  public ApiObject withDefaults(ApiObject object) {
    Tree filled = orElse(object.tree(), "reclaimPolicy", "Delete");
    return new ApiObject(orElse(filled, "volumeBindingMode", "Immediate"));
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    Tree tree = object.tree();
    String provisioner = tree.text("provisioner");
    if (provisioner.isEmpty()) {
      problems.required("provisioner", "");
    } else {
      problems.invalidIf(
          NameSyntax.qualifiedNameProblem(provisioner.toLowerCase(Locale.ROOT)),
          "provisioner",
          provisioner);
    }
    problems.oneOf("reclaimPolicy", tree.text("reclaimPolicy"), List.of("Delete", "Retain"));
    problems.oneOf(
        "volumeBindingMode",
        tree.text("volumeBindingMode"),
        List.of("Immediate", "WaitForFirstConsumer"));
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
      if (!SemanticEquality.holds(before.tree().at(field), after.tree().at(field))) {
        problems.forbidden(field, "updates to %s are forbidden.".formatted(field));
      }
    }
    problems.immutable(
        "volumeBindingMode",
        before.tree().text("volumeBindingMode"),
        after.tree().text("volumeBindingMode"));
  }
}
