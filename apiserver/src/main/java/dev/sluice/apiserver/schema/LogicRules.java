package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * The validation of {@code allOf}, {@code anyOf}, {@code oneOf} and {@code not} in a structural
 * schema: they may add value validations but no structure. Each field mentioned there is also
 * declared outside.
 */
final class LogicRules {
  private static final List<String> OUTSIDE_ONLY =
      List.of("type", "description", "default", "title", "nullable", "additionalProperties");

  private final boolean root;
  private final List<Cause> causes;

  private LogicRules(boolean root, List<Cause> causes) {
    this.root = root;
    this.causes = causes;
  }

  static void check(Tree schema, FieldPath path, boolean root, List<Cause> causes) {
    new LogicRules(root, causes).checkBranches(schema, schema, path);
  }

  /** Validates the branches of {@code logic}, whose values {@code outside} declares. */
  private void checkBranches(Tree logic, Tree outside, FieldPath path) {
    for (String junctor : List.of("allOf", "anyOf", "oneOf")) {
      List<Value> branches = logic.items(junctor);
      for (int i = 0; i < branches.size(); i++) {
        checkBranch(branches.get(i).asTree(), outside, path.child(junctor).index(i));
      }
    }
    if (logic.at("not") instanceof Tree not) {
      checkBranch(not, outside, path.child("not"));
    }
  }

  private void checkBranch(Tree branch, Tree outside, FieldPath path) {
    // Only in the two forms of int-or-string may a branch have a type.
    boolean typed = outside.flag("x-kubernetes-int-or-string");
    for (String keyword : branch.names()) {
      boolean misplaced =
          OUTSIDE_ONLY.contains(keyword)
              || (keyword.startsWith("x-kubernetes-")
                  && !keyword.equals("x-kubernetes-validations"));
      if (misplaced && !(typed && keyword.equals("type"))) {
        causes.add(
            Cause.forbidden(
                path.child(keyword).toString(),
                "it says what the value is, so it stands outside of allOf, anyOf, oneOf and not"));
      }
    }
    branch
        .tree("properties")
        .forEach((name, child) -> checkProperty(name, child.asTree(), outside, path));
    if (branch.at("items") instanceof Tree element) {
      checkBranch(element, outside.tree("items"), path.child("items"));
    }
    checkBranches(branch, outside, path);
  }

  private void checkProperty(String name, Tree child, Tree outside, FieldPath path) {
    FieldPath at = path.child("properties").key(name);
    if (root && name.equals("metadata")) {
      causes.add(Cause.forbidden(at.toString(), "metadata is checked by the server itself"));
    } else if (outside.at("properties", name) instanceof Tree declared) {
      checkBranch(child, declared, at);
    } else {
      causes.add(
          Cause.required(at.toString(), "a field mentioned here is declared outside as well"));
    }
  }
}
