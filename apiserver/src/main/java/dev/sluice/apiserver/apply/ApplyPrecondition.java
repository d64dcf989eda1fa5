package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.apply.MergeSchema.Parts;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The checks that an object and a configuration must pass before they are merged. */
final class ApplyPrecondition {
  private final List<String> problems = new ArrayList<>();
  private final boolean applied;

  private ApplyPrecondition(boolean applied) {
    this.applied = applied;
  }

  /** Rejects a configuration with unknown fields, or with list elements that lack their keys. */
  static void check(ManagedPart part, Tree configuration) {
    throwIfAny(part, configuration, true);
  }

  /** Rejects a merge into an object of which list elements would be lost. */
  static void checkStored(ManagedPart part, Tree object) {
    throwIfAny(part, object, false);
  }

  private static void throwIfAny(ManagedPart part, Tree tree, boolean applied) {
    var check = new ApplyPrecondition(applied);
    check.value(part.mergeSchema(), tree, "");
    if (!check.problems.isEmpty()) {
      throw refusal(part.kind(), new ApiObject(tree), applied, check.problems);
    }
  }

  /**
   * The real server returns an internal error for both. Here only an object that is stored with a
   * defect is one; a defect of the configuration is the client's, which would retry otherwise.
   */
  private static ApiException refusal(
      ResourceKind kind, ApiObject object, boolean applied, List<String> problems) {
    String each =
        problems.size() == 1 ? problems.getFirst() : "errors:\n  " + String.join("\n  ", problems);
    return ApiFailure.because(
        applied ? Reason.BAD_REQUEST : Reason.INTERNAL_ERROR,
        "failed to create typed %s object (%s/%s; %s/%s, Kind=%s): %s"
            .formatted(
                applied ? "patch" : "live",
                object.namespace(),
                object.name(),
                kind.group(),
                kind.version(),
                kind.kind(),
                each));
  }

  private void value(MergeSchema schema, Value value, String path) {
    Parts parts = schema.parts(value);
    switch (parts) {
      case NONE -> {}
      case FIELDS -> value.asTree().forEach((name, field) -> field(schema, name, field, path));
      case MEMBERS, KEYED -> elements(schema, parts, (Items) value, path);
    }
  }

  private void field(MergeSchema schema, String name, Value value, String path) {
    String below = path + "." + name;
    if (applied && !schema.allows(name)) {
      problems.add(below + ": field not declared in schema");
    } else {
      value(schema.field(name), value, below);
    }
  }

  private void elements(MergeSchema schema, Parts parts, Items list, String path) {
    var seen = new TreeSet<PathElement>();
    for (int i = 0; i < list.values().size(); i++) {
      Value element = list.values().get(i);
      Optional<PathElement> step = schema.step(parts, element);
      if (step.isEmpty()) {
        problems.add("%s: element %d: %s".formatted(path, i, unknowable(schema, parts)));
      } else if (!seen.add(step.get()) && applied) {
        problems.add("%s: duplicate entries for key %s".formatted(path, step.get().shown()));
      } else {
        value(schema.element(), element, path + step.get().shown());
      }
    }
  }

  private static String unknowable(MergeSchema schema, Parts parts) {
    return parts == Parts.KEYED
        ? "associative list with keys has an element that omits its keys "
            + schema.schema().listMapKeys()
        : "a set can only have plain values as elements";
  }
}
