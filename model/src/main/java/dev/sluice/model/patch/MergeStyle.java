package dev.sluice.model.patch;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;

/** The choices that the rules of fields leave open. */
public enum MergeStyle {
  /**
   * As the API server of Kubernetes: the elements that a patch lists take the patch's order, a list
   * that lost its last element is removed, and a patch that is not well-formed is refused.
   */
  KUBERNETES,
  /**
   * As stages of simulated nodes: elements keep their places, new ones come last, a list that lost
   * its last element stays, and what is not well-formed is overlooked.
   */
  IN_PLACE;

  private static final String PATCH = "$patch";

  /** What {@code $patch} asks for. */
  enum Directive {
    MERGE,
    REPLACE,
    DELETE
  }

  /** What an object of a patch asks for, for itself. */
  Directive ofObject(Tree patch) {
    return switch (this) {
      case KUBERNETES -> directive(patch);
      case IN_PLACE -> patch.text(PATCH).equals("replace") ? Directive.REPLACE : Directive.MERGE;
    };
  }

  /** What an element of a list asks for: to be merged or deleted, or the list to be replaced. */
  Directive ofElement(Value patch) {
    Tree tree = patch.asTree();
    return switch (this) {
      case KUBERNETES -> directive(tree);
      case IN_PLACE -> tree.text(PATCH).equals("delete") ? Directive.DELETE : Directive.MERGE;
    };
  }

  private static Directive directive(Tree patch) {
    if (!patch.has(PATCH)) {
      return Directive.MERGE;
    }
    return switch (patch.text(PATCH)) {
      case "merge" -> Directive.MERGE;
      case "replace" -> Directive.REPLACE;
      case "delete" -> Directive.DELETE;
      default ->
          throw StrategicMergePatch.malformed(
              "$patch must be \"merge\", \"replace\" or \"delete\", but it is " + patch.at(PATCH));
    };
  }
}
