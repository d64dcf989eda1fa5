package dev.sluice.engine.scheduling;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What this scheduler cannot take into account: such pods wait, and are told so. */
final class Unsupported {
  private Unsupported() {}

  static Optional<Placement.Nowhere> in(PodFacts pod, int nodes) {
    PodShape shape = pod.shape();
    if (!shape.volumeClaims().isEmpty()) {
      String why =
          "this scheduler does not bind persistent volumes: remove the claim(s) %s from"
                  .formatted(String.join(", ", shape.volumeClaims()))
              + " spec.volumes, or name another scheduler in spec.schedulerName";
      return Optional.of(nowhere(nodes, why, Plugin.VOLUME_BINDING));
    }
    if (!shape.deviceClaims().isEmpty()) {
      String why =
          "this scheduler does not allocate devices by claims: remove %s from"
                  .formatted(String.join(", ", shape.deviceClaims()))
              + " spec.resourceClaims, or name another scheduler in spec.schedulerName";
      return Optional.of(nowhere(nodes, why, Plugin.DYNAMIC_RESOURCES));
    }
    return Optional.empty();
  }

  private static Placement.Nowhere nowhere(int nodes, String why, Plugin plugin) {
    return new Placement.Nowhere(
        "0/%d nodes are available: %s.".formatted(nodes, why),
        new TreeSet<>(List.of(plugin)),
        false);
  }
}
