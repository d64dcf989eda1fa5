package dev.sluice.controllers;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;

/** How pods are removed that nobody else will end. */
public final class PodRemoval {
  private PodRemoval() {}

  /**
   * Fails the pod unless it has ended, and takes it away. What finalizers hold goes when they do,
   * which are not ours to remove.
   *
   * @param status what it says if it has not ended, but for the phase
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
