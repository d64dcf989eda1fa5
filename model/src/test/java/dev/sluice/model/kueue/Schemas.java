package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;

/** The schemas of our definitions, and what objects say that these do not know. */
final class Schemas {
  private static final List<ApiObject> DEFINITIONS = KueueDefinitions.all();

  private Schemas() {}

  /** The definition of a kind, such as {@code Workload}. */
  static Tree definition(String kind) {
    return DEFINITIONS.stream()
        .map(ApiObject::spec)
        .filter(spec -> spec.text("names", "kind").equals(kind))
        .findFirst()
        .orElseThrow();
  }

  /** The schema of an object's kind in its version. */
  static Tree of(ApiObject object) {
    return of(object.kind(), object.apiVersion());
  }

  static Tree of(String kind, String apiVersion) {
    Tree definition = definition(kind);
    return definition.trees("versions").stream()
        .filter(
            version -> (definition.text("group") + "/" + version.text("name")).equals(apiVersion))
        .findFirst()
        .orElseThrow()
        .tree("schema", "openAPIV3Schema");
  }

  /** The paths of what the schema of an object does not know. */
  static List<String> unknownFields(ApiObject object) {
    var unknown = new ArrayList<String>();
    collectUnknown(of(object), object.tree().without("metadata"), "", unknown);
    return unknown;
  }

  private static void collectUnknown(Tree schema, Value value, String path, List<String> unknown) {
    if (schema.flag("x-kubernetes-preserve-unknown-fields")) {
      return;
    }
    switch (value) {
      case Tree tree ->
          tree.forEach((name, child) -> {
            String at = path.isEmpty() ? name : path + "." + name;
            if (schema.at("properties", name) instanceof Tree property) {
              collectUnknown(property, child, at, unknown);
            } else if (schema.at("additionalProperties") instanceof Tree values) {
              collectUnknown(values, child, at, unknown);
            } else {
              unknown.add(at);
            }
          });
      case Items(List<Value> items) ->
          items.forEach(item -> collectUnknown(schema.tree("items"), item, path + "[]", unknown));
      case Value.Text _, Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> {}
    }
  }
}
