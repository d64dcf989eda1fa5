package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;

/**
 * One entry of {@code envFrom}: every entry of a ConfigMap or Secret becomes a variable.
 *
 * @param prefix the prefix of the names of the variables
 */
public record EnvironmentSource(String prefix, boolean secret, String name, boolean optional) {

  static EnvironmentSource of(Tree tree) {
    boolean secret = tree.has("secretRef");
    String field = secret ? "secretRef" : "configMapRef";
    return new EnvironmentSource(
        tree.text("prefix"), secret, tree.text(field, "name"), tree.flag(field, "optional"));
  }
}
