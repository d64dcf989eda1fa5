package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value.Null;
import java.util.List;

/** The validation of {@code x-kubernetes-list-type} in a structural schema. */
final class ListRules {
  private static final String TYPE = "x-kubernetes-list-type";
  private static final String KEYS = "x-kubernetes-list-map-keys";

  private ListRules() {}

  static void check(Tree schema, FieldPath path, List<Cause> causes) {
    String listType = schema.text(TYPE);
    FieldPath at = path.child(TYPE);
    if (!listType.isEmpty() && !schema.text("type").equals("array")) {
      causes.add(
          Cause.invalid(path.child("type").toString(), schema.text("type"), "must be array"));
    }
    switch (listType) {
      case "", "atomic" -> {}
      case "set" -> checkSet(schema, path, causes);
      case "map" -> checkMap(schema, path, causes);
      default ->
          causes.add(Cause.notSupported(at.toString(), listType, List.of("atomic", "map", "set")));
    }
    if (!listType.equals("map") && schema.at(KEYS) != Null.NULL) {
      causes.add(Cause.forbidden(path.child(KEYS).toString(), "only lists of type map have keys"));
    }
  }

  private static void checkSet(Tree schema, FieldPath path, List<Cause> causes) {
    Schema element = Schema.nested(schema.tree("items"));
    boolean atomic =
        element.type().isScalar()
            || element.atomicMap()
            || (element.type() == Type.ARRAY && element.listType() == ListType.ATOMIC);
    if (!atomic) {
      causes.add(
          Cause.invalid(
              path.child("items").toString(),
              element.type().word(),
              "the elements of a set must be scalars, or atomic"));
    }
    if (element.nullable()) {
      causes.add(
          Cause.forbidden(path.child("items").child("nullable").toString(), "a set has no nulls"));
    }
  }

  private static void checkMap(Tree schema, FieldPath path, List<Cause> causes) {
    List<String> keys = schema.textItems(KEYS);
    if (keys.isEmpty()) {
      causes.add(
          Cause.required(path.child(KEYS).toString(), "they tell the elements of the list apart"));
    }
    Schema element = Schema.nested(schema.tree("items"));
    if (element.type() != Type.OBJECT) {
      causes.add(
          Cause.invalid(
              path.child("items").child("type").toString(),
              element.type().word(),
              "must be object for a list of type map"));
      return;
    }
    for (int i = 0; i < keys.size(); i++) {
      checkKey(element, keys.get(i), path.child(KEYS).index(i), path.child("items"), causes);
    }
  }

  private static void checkKey(
      Schema element, String key, FieldPath at, FieldPath items, List<Cause> causes) {
    Schema declared = element.properties().get(key);
    if (declared == null || !declared.type().isScalar()) {
      causes.add(Cause.invalid(at.toString(), key, "must name a scalar property of the elements"));
    } else if (!element.required().contains(key) && declared.defaultValue().isEmpty()) {
      causes.add(
          Cause.required(
              items.child("properties").key(key).child("default").toString(),
              "a key must be required or have a default"));
    }
  }
}
