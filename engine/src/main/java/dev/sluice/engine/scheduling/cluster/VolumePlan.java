package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import java.util.List;

/**
 * The plan to bind a pod's claims to volumes.
 *
 * @param node the node that the pod will be assigned to
 * @param steps one for each claim that is not bound yet
 */
public record VolumePlan(String node, List<Step> steps) {
  public static final VolumePlan NONE = new VolumePlan("", List.of());

  public VolumePlan {
    steps = List.copyOf(steps);
  }

  public boolean isEmpty() {
    return steps.isEmpty();
  }

  /** The binding of one claim. */
  public sealed interface Step {
    ObjectKey claim();
  }

  /** The claim is bound to an existing volume. */
  public record Take(ObjectKey claim, String volume) implements Step {}

  /** A volume is provisioned for the node. */
  public record Provision(ObjectKey claim) implements Step {}
}
