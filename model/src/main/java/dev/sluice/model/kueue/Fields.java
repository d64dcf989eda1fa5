package dev.sluice.model.kueue;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The steps of conversions. A field that is missing or of another type stays as it is: rejecting it
 * is left to the schema.
 */
final class Fields {
  private Fields() {}

  /** With a change to the object in a field. */
  static Tree within(Tree tree, String field, UnaryOperator<Tree> change) {
    return tree.at(field) instanceof Tree child ? tree.with(field, change.apply(child)) : tree;
  }

  /** With a change to each object of the array in a field. */
  static Tree each(Tree tree, String field, UnaryOperator<Tree> change) {
    return tree.at(field) instanceof Items(List<Value> items)
        ? tree.with(
            field,
            items.stream()
                .map(item -> item instanceof Tree one ? change.apply(one) : item)
                .toList())
        : tree;
  }

  /** With the value of one field in another. */
  static Tree renamed(Tree tree, String from, String to) {
    return tree.has(from) ? tree.without(from).with(to, tree.at(from)) : tree;
  }
}
