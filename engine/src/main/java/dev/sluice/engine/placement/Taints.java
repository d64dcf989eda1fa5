package dev.sluice.engine.placement;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** Which taints keep a pod away. */
public final class Taints {
  private Taints() {}

  /** The first taint that forbids scheduling and that none of the tolerations covers. */
  public static Optional<Tree> untolerated(List<Tree> taints, List<Tree> tolerations) {
    return taints.stream()
        .filter(Taints::forbids)
        .filter(taint -> tolerations.stream().noneMatch(t -> tolerates(t, taint)))
        .findFirst();
  }

  private static boolean forbids(Tree taint) {
    return switch (taint.text("effect")) {
      case "NoSchedule", "NoExecute" -> true;
      default -> false; // PreferNoSchedule is a wish
    };
  }

  /** Empty effects and, with the operator Exists, empty keys tolerate all. */
  private static boolean tolerates(Tree toleration, Tree taint) {
    String effect = toleration.text("effect");
    String key = toleration.text("key");
    boolean exists = toleration.text("operator").equals("Exists");
    return (effect.isEmpty() || effect.equals(taint.text("effect")))
        && (key.isEmpty() ? exists : key.equals(taint.text("key")))
        && (exists || toleration.text("value").equals(taint.text("value")));
  }
}
