package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Flag;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.List;

/**
 * The validation of structural schemas in CustomResourceDefinitions: the type of every field must
 * be visible without evaluating anything, so that unknown fields can be pruned.
 */
public final class StructuralRules {
  private static final List<String> UNSUPPORTED =
      List.of(
          "$ref",
          "additionalItems",
          "definitions",
          "dependencies",
          "deprecated",
          "discriminator",
          "id",
          "patternProperties",
          "readOnly",
          "writeOnly",
          "xml");
  private static final List<String> RESTRICTABLE_METADATA = List.of("name", "generateName");

  private final List<Cause> causes = new ArrayList<>();

  private StructuralRules() {}

  /** Validates the schema at {@code path}; empty if it is valid. */
  public static List<Cause> problems(Tree schema, FieldPath path) {
    var rules = new StructuralRules();
    PatternRules.check(schema, path, rules.causes);
    rules.checkRoot(schema, path);
    return List.copyOf(rules.causes);
  }

  private void checkRoot(Tree schema, FieldPath path) {
    if (!schema.text("type").equals("object")) {
      causes.add(
          Cause.invalid(
              path.child("type").toString(), schema.text("type"), "must be object at the root"));
    }
    if (schema.has("additionalProperties")) {
      forbid(path.child("additionalProperties"), "the root declares its properties by name");
    }
    FieldPath metadata = path.child("properties").key("metadata");
    for (String name : schema.tree("properties", "metadata", "properties").names()) {
      if (!RESTRICTABLE_METADATA.contains(name)) {
        forbid(
            metadata.child("properties").key(name),
            "only name and generateName may be restricted in metadata");
      }
    }
    check(schema, path);
    LogicRules.check(schema, path, true, causes);
  }

  private void check(Tree schema, FieldPath path) {
    checkKeywords(schema, path);
    checkType(schema, path);
    checkExtensions(schema, path);
    ListRules.check(schema, path, causes);
    checkDefault(schema, path);
    checkBelow(schema, path);
  }

  private void checkBelow(Tree schema, FieldPath path) {
    schema
        .tree("properties")
        .forEach((name, child) -> checkNode(child, path.child("properties").key(name)));
    if (schema.at("additionalProperties") instanceof Tree values) {
      checkNode(values, path.child("additionalProperties"));
    }
    if (schema.at("items") instanceof Tree elements) {
      checkNode(elements, path.child("items"));
    }
  }

  private void checkNode(Value node, FieldPath path) {
    if (node instanceof Tree schema) {
      check(schema, path);
      LogicRules.check(schema, path, false, causes);
    } else {
      causes.add(Cause.wrongType(path.toString(), Type.wordFor(node), "must be a schema"));
    }
  }

  private void checkKeywords(Tree schema, FieldPath path) {
    for (String keyword : UNSUPPORTED) {
      if (schema.at(keyword) != Null.NULL) {
        forbid(path.child(keyword), "this keyword is not supported in a structural schema");
      }
    }
    if (schema.flag("uniqueItems")) {
      forbid(
          path.child("uniqueItems"),
          "comparing all elements is too slow; use x-kubernetes-list-type set or map");
    }
    if (schema.at("additionalProperties") == Flag.FALSE) {
      forbid(path.child("additionalProperties"), "undeclared fields are pruned, not refused");
    }
    if (schema.at("additionalProperties") != Null.NULL && !schema.tree("properties").isEmpty()) {
      forbid(path.child("additionalProperties"), "it excludes properties; declare one of them");
    }
  }

  private void checkType(Tree schema, FieldPath path) {
    String type = schema.text("type");
    boolean intOrString = schema.flag("x-kubernetes-int-or-string");
    if (type.isEmpty() && !intOrString && !schema.flag("x-kubernetes-preserve-unknown-fields")) {
      causes.add(Cause.required(path.child("type").toString(), "every node says what it is"));
    } else if (!type.isEmpty() && intOrString) {
      forbid(path.child("type"), "x-kubernetes-int-or-string says what it is already");
    } else if (!type.isEmpty() && Type.named(type).isEmpty()) {
      causes.add(
          Cause.notSupported(
              path.child("type").toString(),
              type,
              List.of("array", "boolean", "integer", "number", "object", "string")));
    }
    if (type.equals("array") && !(schema.at("items") instanceof Tree)) {
      causes.add(
          Cause.required(path.child("items").toString(), "an array says what its elements are"));
    }
  }

  private void checkExtensions(Tree schema, FieldPath path) {
    String preserve = "x-kubernetes-preserve-unknown-fields";
    if (schema.at(preserve) == Flag.FALSE) {
      causes.add(Cause.invalid(path.child(preserve).toString(), false, "must be true or absent"));
    }
    String type = schema.text("type");
    if (schema.flag("x-kubernetes-embedded-resource") && !type.equals("object")) {
      causes.add(
          Cause.invalid(
              path.child("type").toString(), type, "must be object for an embedded resource"));
    }
    String mapType = schema.text("x-kubernetes-map-type");
    if (!mapType.isEmpty() && !List.of("granular", "atomic").contains(mapType)) {
      causes.add(
          Cause.notSupported(
              path.child("x-kubernetes-map-type").toString(),
              mapType,
              List.of("atomic", "granular")));
    }
  }

  private void checkDefault(Tree schema, FieldPath path) {
    if (!schema.has("default")) {
      return;
    }
    FieldPath at = path.child("default");
    Schema parsed = Schema.nested(schema);
    Value value = schema.at("default");
    causes.addAll(Validation.problems(parsed, value, null, at));
    if (value instanceof Tree tree) {
      for (String dropped : parsed.prune(tree).dropped()) {
        causes.add(Cause.invalid(at.child(dropped).toString(), value, "must not be undeclared"));
      }
    }
  }

  private void forbid(FieldPath path, String why) {
    causes.add(Cause.forbidden(path.toString(), why));
  }
}
