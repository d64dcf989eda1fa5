package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.apply.MergeSchema.Parts;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The removal of fields from an object. A value that loses its last part is removed too. */
final class Removal {
  private Removal() {}

  static Tree of(MergeSchema schema, Tree object, FieldSet fields) {
    return value(schema, object, fields).map(Value::asTree).orElse(Tree.EMPTY);
  }

  private static Optional<Value> value(MergeSchema schema, Value value, FieldSet fields) {
    Parts parts = schema.parts(value);
    return switch (parts) {
      case NONE -> Optional.of(value);
      case FIELDS -> fields(schema, value.asTree(), fields);
      case MEMBERS, KEYED -> elements(schema, parts, (Items) value, fields);
    };
  }

  private static Optional<Value> fields(MergeSchema schema, Tree tree, FieldSet fields) {
    Tree left = tree;
    for (String name : tree.names()) {
      FieldSet gone = fields.at(new PathElement.Field(name));
      if (!gone.isEmpty()) {
        Optional<Value> rest = rest(schema.field(name), tree.at(name), gone);
        left = rest.isPresent() ? left.with(name, rest.get()) : left.without(name);
      }
    }
    return left.isEmpty() ? Optional.empty() : Optional.of(left);
  }

  private static Optional<Value> rest(MergeSchema schema, Value value, FieldSet gone) {
    return gone.itself() ? Optional.empty() : value(schema, value, gone);
  }

  private static Optional<Value> elements(
      MergeSchema schema, Parts parts, Items list, FieldSet fields) {
    List<Value> left = new ArrayList<>();
    for (Value element : list.values()) {
      FieldSet gone = schema.step(parts, element).map(fields::at).orElse(FieldSet.EMPTY);
      if (gone.isEmpty()) {
        left.add(element);
      } else {
        rest(schema.element(), element, gone).ifPresent(left::add);
      }
    }
    return left.isEmpty() ? Optional.empty() : Optional.of(new Items(left));
  }
}
