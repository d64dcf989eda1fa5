package dev.sluice.model.core.pod;

import dev.sluice.model.Condition;
import java.time.Instant;

/**
 * The reason for the disruption of a pod: its condition DisruptionTarget. It must be written before
 * the pod is deleted, so that the Job controller sees it when it counts failures.
 */
public record Disruption(String reason, String message) {
  public static final String CONDITION = "DisruptionTarget";

  public static final Disruption TAINT =
      new Disruption("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
  public static final Disruption NODE_GONE =
      new Disruption("DeletionByPodGC", "PodGC: node no longer exists");
  public static final Disruption EVICTION =
      new Disruption("EvictionByEvictionAPI", "Eviction API: evicting");

  /** The status of a pod that is about to be disrupted. */
  public PodStatus in(PodStatus status, Instant now) {
    return status.withCondition(new Condition(CONDITION, true, reason, message), now);
  }

  /** The same with the generation of the pod, which controllers set and the API server does not. */
  public PodStatus of(Pod pod, Instant now) {
    var target = new Condition(CONDITION, true, reason, message);
    return pod.status().withCondition(target, now, pod.object().generation());
  }
}
