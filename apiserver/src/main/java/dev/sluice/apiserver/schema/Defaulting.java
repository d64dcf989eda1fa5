package dev.sluice.apiserver.schema;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The defaulting by a schema, also inside default values. A null counts as missing unless the
 * schema is nullable.
 */
final class Defaulting {
  private Defaulting() {}

  static Value apply(Schema schema, Value value) {
    return switch (value) {
      case Tree tree -> applyToTree(schema, tree);
      case Items list when schema.items().isPresent() -> applyToItems(schema.items().get(), list);
      case Value other -> other;
    };
  }

  private static Tree applyToTree(Schema schema, Tree tree) {
    Tree filled = tree;
    for (Map.Entry<String, Schema> property : schema.properties().entrySet()) {
      String name = property.getKey();
      Optional<Value> missing = property.getValue().defaultValue();
      if (missing.isPresent() && !tree.has(name)) {
        filled = filled.with(name, missing.get());
      }
    }
    for (String name : filled.names()) {
      Optional<Schema> field = schema.field(name);
      if (field.isPresent()) {
        filled = filled.with(name, complete(field.get(), filled.at(name)));
      }
    }
    return filled;
  }

  private static Items applyToItems(Schema element, Items list) {
    List<Value> filled = new ArrayList<>(list.values().size());
    boolean changed = false;
    for (Value item : list.values()) {
      Value complete = complete(element, item);
      changed |= !complete.equals(item);
      filled.add(complete);
    }
    return changed ? new Items(filled) : list;
  }

  private static Value complete(Schema schema, Value value) {
    boolean missing = value == Null.NULL && !schema.nullable();
    return apply(schema, missing ? schema.defaultValue().orElse(value) : value);
  }
}
