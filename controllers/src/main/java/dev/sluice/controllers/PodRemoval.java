package dev.sluice.controllers;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;

/** The forced removal of pods whose node will not end them. */
public final class PodRemoval {
  private PodRemoval() {}

  /**
   * Marks the pod as failed unless it has ended, and deletes it without a grace period. A pod with
   * finalizers stays until their owners have removed them.
   *
   * @param status the status, apart from the phase, of a pod that has not ended
   */
  public static void remove(Cluster cluster, Pod pod, PodStatus status) {
    if (pod.isHeld()) {
      return;
    }
    try {
      ApiObject last = pod.object();
      if (!pod.isTerminal()) {
        last = cluster.patchStatus(Kinds.POD, last, status.withPhase(Pod.Phase.FAILED).tree());
      }
      cluster.delete(Kinds.POD, last, Deletion.NOW);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }
}
