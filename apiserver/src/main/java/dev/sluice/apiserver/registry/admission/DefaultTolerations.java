package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/**
 * The plugin DefaultTolerationSeconds: pods stay for five minutes on a node that is not ready or
 * unreachable, unless they have tolerations of their own.
 */
final class DefaultTolerations {
  private static final String NO_EXECUTE = "NoExecute";
  private static final int SECONDS = 300;
  private static final List<Tree> DEFAULTS =
      List.of(
          toleration("node.kubernetes.io/not-ready"), toleration("node.kubernetes.io/unreachable"));

  private DefaultTolerations() {}

  private static Tree toleration(String key) {
    return Tree.of("effect", NO_EXECUTE, "key", key, "operator", "Exists")
        .with("tolerationSeconds", SECONDS);
  }

  /** The pod with tolerations for nodes that are not ready or unreachable. */
  static ApiObject admitPod(ApiObject pod) {
    List<Tree> asked = pod.spec().trees("tolerations");
    var all = new ArrayList<Tree>(asked);
    for (Tree missing : DEFAULTS) {
      if (asked.stream().noneMatch(one -> speaksOf(one, missing.text("key")))) {
        all.add(missing);
      }
    }
    return all.size() == asked.size()
        ? pod
        : pod.with(List.of("spec", "tolerations"), Items.of(all));
  }

  private static boolean speaksOf(Tree toleration, String key) {
    String name = toleration.text("key");
    String effect = toleration.text("effect");
    return (name.isEmpty() || name.equals(key)) && (effect.isEmpty() || effect.equals(NO_EXECUTE));
  }
}
