package dev.sluice.apiserver.schema;

import org.jspecify.annotations.Nullable;

/**
 * The path of a field, as causes name it: {@code spec.containers[0].name}.
 *
 * <p>It is a link to its parent rather than a string: one is created for every node visited, and
 * few are printed.
 *
 * @param before the text before the step
 * @param after the text behind it
 */
public record FieldPath(@Nullable FieldPath parent, String before, String step, String after) {
  public static final FieldPath ROOT = new FieldPath(null, "", "", "");

  /** A path that starts at a field inside an object. */
  public static FieldPath of(String start) {
    return ROOT.child(start);
  }

  public FieldPath child(String name) {
    return new FieldPath(this, parent == null ? "" : ".", name, "");
  }

  public FieldPath index(int index) {
    return new FieldPath(this, "[", Integer.toString(index), "]");
  }

  /** The path of a value in a map. */
  public FieldPath key(String key) {
    return new FieldPath(this, "[", key, "]");
  }

  /** The path as a string; Kubernetes writes the object itself as {@code <nil>}. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    for (FieldPath path = this; path != null; path = path.parent) {
      text.insert(0, path.after).insert(0, path.step).insert(0, path.before);
    }
    return text.isEmpty() ? "<nil>" : text.toString();
  }
}
