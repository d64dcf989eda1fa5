package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;

/**
 * One entry of a pod's {@code spec.tolerations}.
 *
 * @param key empty for every key
 * @param exists whether it matches any value
 * @param effect empty for every effect
 */
public record Toleration(String key, boolean exists, String value, String effect) {

  public static Toleration of(Tree tree) {
    return new Toleration(
        tree.text("key"),
        tree.text("operator").equals("Exists"),
        tree.text("value"),
        tree.text("effect"));
  }

  public boolean tolerates(Taint taint) {
    boolean sameEffect = effect.isEmpty() || effect.equals(taint.effect());
    boolean sameKey = key.equals(taint.key()) || (key.isEmpty() && exists);
    return sameEffect && sameKey && (exists || value.equals(taint.value()));
  }
}
