package dev.sluice.model.tree;

/** JSON merge patches (RFC 7386): null removes a field, objects merge, anything else replaces. */
public final class MergePatch {
  private MergePatch() {}

  public static Tree apply(Tree target, Tree patch) {
    Tree result = target;
    for (String name : patch.names()) {
      result =
          switch (patch.at(name)) {
            case Value.Null _ -> result.without(name);
            case Tree child -> result.with(name, apply(result.tree(name), child));
            case Value other -> result.with(name, other);
          };
    }
    return result;
  }

  /** The smallest patch that turns one tree into another that holds no nulls. */
  public static Tree diff(Tree before, Tree after) {
    Tree patch = Tree.EMPTY;
    for (String name : before.names()) {
      patch = after.has(name) ? patch : patch.with(name, Value.Null.NULL);
    }
    for (String name : after.names()) {
      Value old = before.at(name);
      Value wanted = after.at(name);
      if (!before.has(name) || !old.equals(wanted)) {
        boolean merges = old instanceof Tree && wanted instanceof Tree;
        patch = patch.with(name, merges ? diff(old.asTree(), wanted.asTree()) : wanted);
      }
    }
    return patch;
  }
}
