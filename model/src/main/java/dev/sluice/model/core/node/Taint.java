package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;

/** One entry of a node's {@code spec.taints}. */
public record Taint(String key, String value, String effect) {
  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";
  public static final String NO_EXECUTE = "NoExecute";

  /** The key of the taint of an unreachable node. */
  public static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  public static Taint of(Tree tree) {
    return new Taint(tree.text("key"), tree.text("value"), tree.text("effect"));
  }

  public Tree tree() {
    Tree bare = Tree.of("key", key, "effect", effect);
    return value.isEmpty() ? bare : bare.with("value", value);
  }

  /** Whether pods that do not tolerate it are not scheduled; PreferNoSchedule does not count. */
  public boolean repels() {
    return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
  }
}
