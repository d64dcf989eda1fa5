package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.model.ObjectKey;
import java.util.List;

/** The decision to write about a pod. */
sealed interface PodDecision {

  /** The pod is bound to a node. */
  record Bind(String node) implements PodDecision {}

  /**
   * The pod has a reservation on a node and waits for a permit.
   *
   * @param volumes what must be written for its claims now
   */
  record Reserve(String node, VolumePlan volumes) implements PodDecision {}

  /**
   * No node fits the pod.
   *
   * @param nominated its nominated node, which is kept if {@code why} says so
   */
  record MarkUnschedulable(Placement.Unschedulable why, String nominated) implements PodDecision {}

  /** A node fits the pod once the victims are gone. */
  record Preempt(
      Placement.Unschedulable why, String node, List<PodFacts> victims, List<ObjectKey> displaced)
      implements PodDecision {}
}
