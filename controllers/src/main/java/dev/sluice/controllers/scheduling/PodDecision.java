package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.model.ObjectKey;
import java.util.List;

/** What is to be written about a pod. */
sealed interface PodDecision {

  /** It goes to a node. */
  record Bind(String node) implements PodDecision {}

  /**
   * It has room on a node and waits.
   *
   * @param volumes what must be written for its claims now
   */
  record Reserve(String node, VolumePlan volumes) implements PodDecision {}

  /**
   * It finds no node.
   *
   * @param nominated where room was kept for it, which stays so if {@code why} says so
   */
  record MarkUnschedulable(Placement.Unschedulable why, String nominated) implements PodDecision {}

  /** It finds one once others have left. */
  record Preempt(
      Placement.Unschedulable why, String node, List<PodFacts> victims, List<ObjectKey> displaced)
      implements PodDecision {}
}
