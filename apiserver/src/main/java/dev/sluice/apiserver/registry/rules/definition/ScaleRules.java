package dev.sluice.apiserver.registry.rules.definition;

import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;

/** The rules of {@code subresources.scale}: the paths of the fields that a Scale shows. */
final class ScaleRules {
  private ScaleRules() {}

  static void check(String field, Tree version, ValidationErrors problems) {
    if (!version.tree("subresources").has("scale")) {
      return;
    }
    Tree scale = version.tree("subresources", "scale");
    for (String required : List.of("specReplicasPath", "statusReplicasPath")) {
      if (scale.text(required).isEmpty()) {
        problems.required(field + "." + required, "");
      }
    }
    check(field + ".specReplicasPath", scale.text("specReplicasPath"), List.of(".spec"), problems);
    check(
        field + ".statusReplicasPath",
        scale.text("statusReplicasPath"),
        List.of(".status"),
        problems);
    check(
        field + ".labelSelectorPath",
        scale.text("labelSelectorPath"),
        List.of(".spec", ".status"),
        problems);
  }

  private static void check(
      String field, String path, List<String> parents, ValidationErrors problems) {
    if (path.isEmpty()) {
      return;
    }
    if (!path.startsWith(".")) {
      problems.invalid(field, path, "must be a simple json path starting with .");
    } else if (parents.stream().noneMatch(parent -> path.startsWith(parent + "."))) {
      problems.invalid(
          field,
          path,
          "should be a json path under "
              + (parents.size() > 1 ? "either " : "")
              + String.join(" or ", parents));
    }
  }
}
