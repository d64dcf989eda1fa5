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

  static FieldSet value(MergeSchema shape, Value value) {
    Parts parts = shape.parts(value);
    return switch (parts) {
      case NONE -> FieldSet.LEAF;
      case FIELDS -> fields(shape, value.asTree());
      case MEMBERS, KEYED -> elements(shape, parts, value);
    };
  }

  private static FieldSet fields(MergeSchema shape, Tree tree) {
    var fields = new FieldSet.Builder();
    tree.forEach((name, value) -> {
      FieldSet inside = value(shape.field(name), value);
      boolean byItself =
          !shape.declares(name)
              || value == Value.Null.NULL
              || (value instanceof Tree field && field.isEmpty());
      fields.put(new PathElement.Field(name), byItself ? inside.withItself() : inside);
    });
    return fields.build(false);
  }

  private static FieldSet elements(MergeSchema shape, Parts parts, Value list) {
    var fields = new FieldSet.Builder();
    Elements.of(shape, parts, list)
        .byStep()
        .forEach((step, elements) ->
            fields.put(
                step,
                elements.size() == 1
                    ? value(shape.element(), elements.getFirst()).withItself()
                    : FieldSet.LEAF));
    return fields.build(false);
  }
}
