package dev.sluice.apiserver.registry.rules.definition;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.TreeSet;

/** The validation of {@code selectableFields}: few, declared in the schema, and of simple types. */
final class SelectableFieldRules {
  private static final int MAX_FIELDS = 8;
  private static final List<String> TYPES = List.of("boolean", "integer", "string");

  private SelectableFieldRules() {}

  static void check(String field, Tree version, ValidationErrors problems) {
    List<Tree> fields = version.trees("selectableFields");
    if (fields.size() > MAX_FIELDS) {
      problems.add(Cause.tooMany(field, fields.size(), MAX_FIELDS));
    }
    var known = new TreeSet<String>();
    for (int i = 0; i < fields.size(); i++) {
      String path = fields.get(i).text("jsonPath");
      String at = "%s[%d].jsonPath".formatted(field, i);
      if (path.isEmpty()) {
        problems.required(at, "");
      } else if (!known.add(path)) {
        problems.duplicate(at, path);
      } else if (!leadsToPlainField(path, version.tree("schema", "openAPIV3Schema"))) {
        problems.invalid(
            at,
            path,
            "must lead to a field that the schema declares as a string, integer or boolean, such as"
                + " .spec.color");
      }
    }
  }

  private static boolean leadsToPlainField(String path, Tree schema) {
    if (!path.startsWith(".") || path.startsWith(".metadata.")) {
      return false;
    }
    Tree here = schema;
    for (String name : path.substring(1).split("\\.", -1)) {
      here = here.tree("properties", name);
    }
    return TYPES.contains(here.text("type"));
  }
}
