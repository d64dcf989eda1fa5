package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The edits of trees that defaulting consists of. A tree that does not change is returned as it is.
 */
public final class Edits {
  private Edits() {}

  /** The tree with a field set if it is absent. */
  public static Tree orElse(Tree tree, String name, Object value) {
    return tree.has(name) ? tree : tree.with(name, value);
  }

  /** The same also if the field is empty, where Kubernetes does not distinguish the two. */
  public static Tree orIfEmpty(Tree tree, String name, Object value) {
    return switch (tree.at(name)) {
      case Value.Null _ -> tree.with(name, value);
      case Value.Text(String text) when text.isEmpty() -> tree.with(name, value);
      case Value.Whole(long number) when number == 0 -> tree.with(name, value);
      case Value _ -> tree;
    };
  }

  /** The tree with the object in a field changed, if there is one. */
  public static Tree inside(Tree tree, String name, UnaryOperator<Tree> change) {
    return tree.at(name) instanceof Tree child ? tree.with(name, change.apply(child)) : tree;
  }

  /** The tree with every object in an array changed. */
  public static Tree each(Tree tree, String name, UnaryOperator<Tree> change) {
    if (!(tree.at(name) instanceof Items(List<Value> before))) {
      return tree;
    }
    var after = new ArrayList<Value>(before.size());
    boolean changed = false;
    for (Value item : before) {
      Value edited = item instanceof Tree child ? change.apply(child) : item;
      changed |= !edited.equals(item);
      after.add(edited);
    }
    return changed ? tree.with(name, new Items(after)) : tree;
  }

  /** The tree with a field taken from another one, absent if it is absent there. */
  public static Tree asIn(Tree other, Tree tree, String name) {
    return other.has(name) ? tree.with(name, other.at(name)) : tree.without(name);
  }

  /**
   * The tree with a field of every object in an array taken from the array of another tree, if both
   * have the same length.
   */
  public static Tree eachAsIn(Tree other, Tree tree, String array, String name) {
    List<Tree> models = other.trees(array);
    List<Tree> before = tree.trees(array);
    if (models.size() != before.size() || models.isEmpty()) {
      return tree;
    }
    var after = new ArrayList<Tree>();
    for (int i = 0; i < models.size(); i++) {
      after.add(asIn(models.get(i), before.get(i), name));
    }
    return tree.with(array, Items.of(after));
  }
}
