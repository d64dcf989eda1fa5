package dev.sluice.kubernetes.serving;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The JSON Patch (RFC 6902) that makes one tree another. A list that differs is replaced as a
 * whole: no other writer changes it between the question and the answer.
 */
final class PatchOperations {
  private final List<Value> operations = new ArrayList<>();

  private PatchOperations() {}

  /** The operations; none if the trees are equal. */
  static Items between(Tree before, Tree after) {
    var patch = new PatchOperations();
    patch.compare("", before, after);
    return new Items(patch.operations);
  }

  private void compare(String path, Tree before, Tree after) {
    for (String name : before.names()) {
      if (!after.has(name)) {
        operations.add(Tree.of("op", "remove", "path", path + pointer(name)));
      }
    }
    after.forEach((name, value) -> set(path + pointer(name), before, name, value));
  }

  private void set(String path, Tree parent, String name, Value value) {
    Value before = parent.at(name);
    if (!parent.has(name)) {
      operations.add(Tree.of("op", "add", "path", path, "value", value));
    } else if (before instanceof Tree old && value instanceof Tree changed) {
      compare(path, old, changed);
    } else if (!before.equals(value)) {
      operations.add(Tree.of("op", "replace", "path", path, "value", value));
    }
  }

  private static String pointer(String name) {
    return "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
