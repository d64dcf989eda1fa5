package dev.sluice.model.core.pod;

import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The time for which a pod tolerates a taint with the effect NoExecute.
 *
 * @param time empty for unlimited
 */
public record TolerationSeconds(Optional<Duration> time) {
  private static final long MAX_SECONDS = Duration.ofDays(36_500).toSeconds();

  /** The shortest time of all tolerations of the taint; zero if there are none. */
  public static TolerationSeconds of(Pod pod, Taint taint) {
    List<Tree> tolerations =
        pod.object().spec().trees("tolerations").stream()
            .filter(tree -> Toleration.of(tree).tolerates(taint))
            .toList();
    if (tolerations.isEmpty()) {
      return new TolerationSeconds(Optional.of(Duration.ZERO));
    }
    return new TolerationSeconds(
        tolerations.stream()
            .filter(tree -> tree.has("tolerationSeconds"))
            .map(tree -> tree.whole("tolerationSeconds").orElse(0))
            .min(Long::compare)
            .map(seconds -> Duration.ofSeconds(Math.clamp(seconds, 0, MAX_SECONDS))));
  }
}
