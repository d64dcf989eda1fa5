package dev.sluice.apiserver.schema;

import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.bounds.LinearPattern;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * The validation of the patterns of a schema: each is small enough to match with, and all together
 * are small enough to keep.
 */
final class PatternRules {
  private static final long MAX_INSTRUCTIONS = 200_000;
  private static final List<String> SCHEMAS = List.of("additionalProperties", "items", "not");
  private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");

  private final List<Cause> causes;
  private long instructions;

  private PatternRules(List<Cause> causes) {
    this.causes = causes;
  }

  static void check(Tree schema, FieldPath path, List<Cause> causes) {
    new PatternRules(causes).check(schema, path);
  }

  private void check(Value node, FieldPath path) {
    if (!(node instanceof Tree schema)) {
      return;
    }
    checkPattern(schema.text("pattern"), path.child("pattern"));
    schema
        .tree("properties")
        .forEach((name, field) -> check(field, path.child("properties").key(name)));
    SCHEMAS.forEach(name -> check(schema.at(name), path.child(name)));
    for (String name : LISTS) {
      if (schema.at(name) instanceof Items(List<Value> schemas)) {
        for (int i = 0; i < schemas.size(); i++) {
          check(schemas.get(i), path.child(name).index(i));
        }
      }
    }
  }

  private void checkPattern(String pattern, FieldPath path) {
    if (pattern.isEmpty() || instructions > MAX_INSTRUCTIONS) {
      return;
    }
    try {
      instructions += LinearPattern.compile(pattern).instructions();
    } catch (IllegalArgumentException refused) {
      causes.add(Cause.invalid(path.toString(), pattern, String.valueOf(refused.getMessage())));
    }
    if (instructions > MAX_INSTRUCTIONS) {
      causes.add(
          Cause.forbidden(
              path.toString(),
              "all patterns of a schema together may have %d instructions once repetitions are"
                      .formatted(MAX_INSTRUCTIONS)
                  + " written out; limit the lengths of the texts with maxLength instead"));
    }
  }
}
