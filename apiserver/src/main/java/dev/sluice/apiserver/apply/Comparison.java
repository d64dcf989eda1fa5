package dev.sluice.apiserver.apply;

import dev.sluice.apiserver.apply.MergeSchema.Parts;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object that were removed, modified and added. If a field was added, so was
 * everything below it.
 */
record Comparison(FieldSet removed, FieldSet modified, FieldSet added) {
  private static final Comparison SAME =
      new Comparison(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.EMPTY);
  private static final Comparison MODIFIED =
      new Comparison(FieldSet.EMPTY, FieldSet.LEAF, FieldSet.EMPTY);

  static Comparison of(MergeSchema schema, Tree before, Tree after) {
    return values(schema, before, after);
  }

  /** The fields that were added or modified. */
  FieldSet set() {
    return modified.union(added);
  }

  Comparison without(FieldSet ignored) {
    return new Comparison(
        removed.minusAllBelow(ignored),
        modified.minusAllBelow(ignored),
        added.minusAllBelow(ignored));
  }

  @SuppressWarnings("ReferenceEquality") // equal values are usually shared, so one comparison of
  // references is enough
  private static Comparison values(
      MergeSchema schema, @Nullable Value before, @Nullable Value after) {
    if (before == after) {
      return SAME;
    }
    Parts parts = commonParts(schema, before, after);
    if (parts == Parts.NONE || (isBare(before) && isBare(after))) {
      return whole(before, after);
    }
    var found = new Found();
    if (parts == Parts.FIELDS) {
      fields(schema, orEmpty(before), orEmpty(after), found);
    } else {
      elements(schema, parts, before, after, found);
    }
    return found.comparison(before == null, after == null);
  }

  /** The parts that both values have; a null has those of the other. */
  private static Parts commonParts(
      MergeSchema schema, @Nullable Value before, @Nullable Value after) {
    if (before == null || before == Value.Null.NULL) {
      return after == null ? Parts.NONE : schema.parts(after);
    }
    Parts parts = schema.parts(before);
    boolean alike = after == null || after == Value.Null.NULL || schema.parts(after) == parts;
    return alike ? parts : Parts.NONE;
  }

  /** Whether a value has no parts, so that it can only be absent or empty. */
  private static boolean isBare(@Nullable Value value) {
    return value == null
        || value == Value.Null.NULL
        || (value instanceof Tree tree && tree.isEmpty())
        || (value instanceof Items(List<Value> items) && items.isEmpty());
  }

  private static Tree orEmpty(@Nullable Value value) {
    return value == null ? Tree.EMPTY : value.asTree();
  }

  private static Comparison whole(@Nullable Value before, @Nullable Value after) {
    if (before == null) {
      return new Comparison(FieldSet.EMPTY, FieldSet.EMPTY, FieldSet.LEAF);
    }
    if (after == null) {
      return new Comparison(FieldSet.LEAF, FieldSet.EMPTY, FieldSet.EMPTY);
    }
    return before.equals(after) ? SAME : MODIFIED;
  }

  private static void fields(MergeSchema schema, Tree before, Tree after, Found found) {
    Set<String> names = new TreeSet<>(before.names());
    names.addAll(after.names());
    for (String name : names) {
      found.put(
          new PathElement.Field(name),
          values(schema.field(name), present(before, name), present(after, name)));
    }
  }

  private static @Nullable Value present(Tree tree, String name) {
    return tree.has(name) ? tree.at(name) : null;
  }

  private static void elements(
      MergeSchema schema, Parts parts, @Nullable Value before, @Nullable Value after, Found found) {
    Elements old = Elements.of(schema, parts, before == null ? Items.EMPTY : before);
    Elements fresh = Elements.of(schema, parts, after == null ? Items.EMPTY : after);
    Set<PathElement> steps = new LinkedHashSet<>(old.byStep().keySet());
    steps.addAll(fresh.byStep().keySet());
    for (PathElement step : steps) {
      found.put(step, alike(schema.element(), old.at(step), fresh.at(step)));
    }
  }

  private static Comparison alike(MergeSchema schema, List<Value> before, List<Value> after) {
    return before.size() > 1 || after.size() > 1
        ? whole(asOne(before), asOne(after))
        : values(schema, asOne(before), asOne(after));
  }

  private static @Nullable Value asOne(List<Value> elements) {
    return switch (elements.size()) {
      case 0 -> null;
      case 1 -> elements.getFirst();
      default -> new Items(elements);
    };
  }

  /** The fields found below one node. */
  private static final class Found {
    private final FieldSet.Builder removed = new FieldSet.Builder();
    private final FieldSet.Builder modified = new FieldSet.Builder();
    private final FieldSet.Builder added = new FieldSet.Builder();

    void put(PathElement step, Comparison below) {
      removed.put(step, below.removed);
      modified.put(step, below.modified);
      added.put(step, below.added);
    }

    Comparison comparison(boolean came, boolean went) {
      return new Comparison(removed.build(went), modified.build(false), added.build(came));
    }
  }
}
