package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.apply.MergeSchema.Parts;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;

/**
 * The fields that a configuration sets: every atomic value, every element of a granular list, every
 * entry of a map with free keys, and every empty or null value.
 */
final class FieldsOf {
  private FieldsOf() {}

  static FieldSet value(MergeSchema schema, Value value) {
    Parts parts = schema.parts(value);
    return switch (parts) {
      case NONE -> FieldSet.LEAF;
      case FIELDS -> fields(schema, value.asTree());
      case MEMBERS, KEYED -> elements(schema, parts, value);
    };
  }

  private static FieldSet fields(MergeSchema schema, Tree tree) {
    var fields = new FieldSet.Builder();
    tree.forEach((name, value) -> {
      FieldSet inside = value(schema.field(name), value);
      boolean byItself =
          !schema.declares(name)
              || value == Value.Null.NULL
              || (value instanceof Tree field && field.isEmpty());
      fields.put(new PathElement.Field(name), byItself ? inside.withItself() : inside);
    });
    return fields.build(false);
  }

  private static FieldSet elements(MergeSchema schema, Parts parts, Value list) {
    var fields = new FieldSet.Builder();
    Elements.of(schema, parts, list)
        .byStep()
        .forEach((step, elements) ->
            fields.put(
                step,
                elements.size() == 1
                    ? value(schema.element(), elements.getFirst()).withItself()
                    : FieldSet.LEAF));
    return fields.build(false);
  }
}
