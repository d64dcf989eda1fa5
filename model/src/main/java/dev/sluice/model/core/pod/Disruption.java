package dev.sluice.model.core.pod;

import dev.sluice.model.Condition;
import java.time.Instant;

/**
 * Why a pod is taken down although it did nothing wrong: what its condition DisruptionTarget says.
 * It must be written before the pod is deleted, so that whoever counts failures sees it.
 */
public record Disruption(String reason, String message) {
  public static final String CONDITION = "DisruptionTarget";

  public static final Disruption TAINT =
      new Disruption("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
  public static final Disruption NODE_GONE =
      new Disruption("DeletionByPodGC", "PodGC: node no longer exists");
  public static final Disruption EVICTION =
      new Disruption("EvictionByEvictionAPI", "Eviction API: evicting");

  /** The status of a pod that is about to go for this reason. */
  public PodStatus in(PodStatus status, Instant now) {
    return status.withCondition(new Condition(CONDITION, true, reason, message), now);
  }

  /** The same with the generation of the pod: controllers say that, the API server does not. */
  public PodStatus of(Pod pod, Instant now) {
    var target = new Condition(CONDITION, true, reason, message);
    return pod.status().withCondition(target, now, pod.object().generation());
  }
}
