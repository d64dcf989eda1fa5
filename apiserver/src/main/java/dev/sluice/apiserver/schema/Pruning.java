package dev.sluice.apiserver.schema;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The pruning of fields that a schema does not specify.
 *
 * <p>A built-in kind also loses its nulls, without a report: to the real server a null is an absent
 * field. Its timestamps get their normal form in the same pass. Values that equal those of {@code
 * before}, which was pruned already, are skipped.
 */
public final class Pruning {
  private static final List<String> RESOURCE_FIELDS = List.of("apiVersion", "kind", "metadata");

  /** The pruned tree, and the paths of the dropped fields, in the order of the tree. */
  public record Pruned(Tree tree, List<String> dropped) {
    public Pruned {
      dropped = List.copyOf(dropped);
    }
  }

  private final List<String> dropped = new ArrayList<>();

  private Pruning() {}

  static Pruned prune(Schema schema, Tree tree, Tree before) {
    var pruning = new Pruning();
    Tree left = pruning.pruneTree(schema, tree, before, FieldPath.ROOT);
    return new Pruned(left, pruning.dropped);
  }

  private Value prune(Schema schema, Value value, Value before, FieldPath path) {
    if (value.equals(before)) {
      return value;
    }
    return switch (value) {
      case Tree tree -> pruneTree(schema, tree, before.asTree(), path);
      case Items list when schema.items().isPresent() ->
          pruneItems(schema.items().get(), list, path);
      case Value.Text text -> TimeValues.normal(text, schema.timeForm());
      case Value other -> other;
    };
  }

  private Tree pruneTree(Schema schema, Tree tree, Tree before, FieldPath path) {
    Tree left = tree;
    for (int i = 0; i < tree.size(); i++) {
      String name = tree.nameAt(i);
      if (schema.isResource() && RESOURCE_FIELDS.contains(name)) {
        continue;
      }
      Value value = tree.valueAt(i);
      Optional<Schema> field = schema.field(name);
      if (field.isEmpty()) {
        left = pruneUndeclared(schema, left, name, path);
      } else if (value == Null.NULL && schema.dropsNulls()) {
        left = left.without(name);
      } else {
        Value pruned = prune(field.get(), value, before.at(name), path.child(name));
        left = pruned.equals(value) ? left : left.with(name, pruned);
      }
    }
    return left;
  }

  private Tree pruneUndeclared(Schema schema, Tree tree, String name, FieldPath path) {
    if (schema.preservesUnknown()) {
      return tree;
    }
    dropped.add(path.child(name).toString());
    return tree.without(name);
  }

  private Items pruneItems(Schema element, Items list, FieldPath path) {
    var kept = new ArrayList<Value>(list.values().size());
    boolean changed = false;
    for (Value item : list.values()) {
      Value left = prune(element, item, Null.NULL, path.index(kept.size()));
      changed |= !left.equals(item);
      kept.add(left);
    }
    return changed ? new Items(kept) : list;
  }
}
