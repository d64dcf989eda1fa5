package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.AdmissionHook;
import java.util.List;
import java.util.TreeSet;

/**
 * The validation of ResourceFlavors. New ones get the finalizer that keeps them while they are in
 * use. Once a flavor has a topology, its nodes are immutable, because pods were placed by them.
 */
final class ResourceFlavorRules implements AdmissionHook {

  @Override
  public ResourceKind kind() {
    return Kinds.RESOURCE_FLAVOR;
  }

  @Override
  public ApiObject onCreate(ApiObject flavor) {
    return flavor.withFinalizer(KueueNames.IN_USE);
  }

  @Override
  public void checkCreate(ApiObject flavor) {
    problems(flavor).deny(kind(), flavor.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    ValidationErrors now = problems(after);
    if (!before.spec().text("topologyName").isEmpty()) {
      for (String field : List.of("topologyName", "nodeLabels", "tolerations")) {
        now.immutable("spec." + field, before.spec().at(field), after.spec().at(field));
      }
    }
    now.denyNew(problems(before), kind(), after.name());
  }

  private static ValidationErrors problems(ApiObject object) {
    var problems = new ValidationErrors();
    var flavor = new ResourceFlavor(object);
    problems.labels("spec.nodeLabels", flavor.nodeLabels());
    checkTaints(flavor.nodeTaints(), problems);
    TolerationRules.check("spec.tolerations", flavor.tolerations(), problems);
    return problems;
  }

  private static void checkTaints(List<Taint> taints, ValidationErrors problems) {
    var seen = new TreeSet<String>();
    for (int i = 0; i < taints.size(); i++) {
      String at = "spec.nodeTaints[" + i + "]";
      Taint taint = taints.get(i);
      problems.invalidIf(NameSyntax.qualifiedNameProblem(taint.key()), at + ".key", taint.key());
      problems.invalidIf(NameSyntax.labelValueProblem(taint.value()), at + ".value", taint.value());
      if (!seen.add(taint.effect() + " " + taint.key())) {
        problems.duplicate(at, Tree.of("key", taint.key(), "effect", taint.effect()));
      }
    }
  }
}
