package dev.sluice.model.core;

import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long a pod stays on a node with taints that evict.
 *
 * @param time empty for as long as it likes
 */
public record Endurance(Optional<Duration> time) {
  private static final long LONGEST = Duration.ofDays(36_500).toSeconds();

  /** The shortest time of all tolerations in use; no time at all if one taint is not tolerated. */
  public static Endurance of(Pod pod, List<Taint> taints) {
    List<Tree> tolerations = pod.object().spec().trees("tolerations");
    boolean tolerated =
        taints.stream()
            .allMatch(taint -> tolerations.stream().anyMatch(tree -> tolerates(tree, taint)));
    if (!tolerated) {
      return new Endurance(Optional.of(Duration.ZERO));
    }
    return new Endurance(
        tolerations.stream()
            .filter(tree -> taints.stream().anyMatch(taint -> tolerates(tree, taint)))
            .filter(tree -> tree.has("tolerationSeconds"))
            .map(tree -> tree.whole("tolerationSeconds").orElse(0))
            .min(Long::compare)
            .map(seconds -> Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST))));
  }

  private static boolean tolerates(Tree toleration, Taint taint) {
    return Toleration.of(toleration).tolerates(taint);
  }
}
