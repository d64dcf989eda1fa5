package dev.sluice.controllers.queueing.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Set;

/**
 * The rules for the pod set updates of admission checks: they name existing pod sets, are valid in
 * pods, and are immutable once the check is ready, because pods are started with them.
 */
final class CheckStateRules {
  private CheckStateRules() {}

  static void check(ApiObject workload, Set<String> podSets, ValidationErrors problems) {
    List<CheckState> checks = new Workload(workload).status().admissionChecks();
    for (int i = 0; i < checks.size(); i++) {
      List<Tree> updates = checks.get(i).podSetUpdates();
      for (int j = 0; j < updates.size(); j++) {
        checkUpdate(field(i) + "[" + j + "]", updates.get(j), podSets, problems);
      }
    }
  }

  private static void checkUpdate(
      String at, Tree update, Set<String> podSets, ValidationErrors problems) {
    String name = update.text("name");
    if (!podSets.contains(name)) {
      problems.invalid(at + ".name", name, "is not one of the workload's pod sets");
    }
    problems.labels(at + ".labels", update.texts("labels"));
    problems.labels(at + ".nodeSelector", update.texts("nodeSelector"));
    MetadataRules.checkAnnotations(at + ".annotations", update.texts("annotations"), problems);
    TolerationRules.check(at + ".tolerations", update.trees("tolerations"), problems);
  }

  static void checkChange(ApiObject before, ApiObject after, ValidationErrors problems) {
    List<CheckState> old = new Workload(before).status().admissionChecks();
    List<CheckState> now = new Workload(after).status().admissionChecks();
    for (int i = 0; i < now.size(); i++) {
      CheckState check = now.get(i);
      String field = field(i);
      old.stream()
          .filter(previous -> previous.name().equals(check.name()))
          .filter(previous -> previous.ready() && check.ready())
          .findFirst()
          .ifPresent(previous ->
              problems.immutable(
                  field, Items.of(previous.podSetUpdates()), Items.of(check.podSetUpdates())));
    }
  }

  private static String field(int check) {
    return "status.admissionChecks[" + check + "].podSetUpdates";
  }
}
