package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import java.util.List;

/**
 * What must be written so that a pod's claims get their volumes.
 *
 * @param node where the pod will be
 * @param steps one for each claim that has no volume yet
 */
public record VolumePlan(String node, List<Step> steps) {
  public static final VolumePlan NONE = new VolumePlan("", List.of());

  public VolumePlan {
    steps = List.copyOf(steps);
  }

  public boolean isEmpty() {
    return steps.isEmpty();
  }

  /** How one claim gets its volume. */
  public sealed interface Step {
    ObjectKey claim();
  }

  /** It takes a volume that is there. */
  public record Take(ObjectKey claim, String volume) implements Step {}

  /** Somebody makes one for the node. */
  public record Provision(ObjectKey claim) implements Step {}
}
