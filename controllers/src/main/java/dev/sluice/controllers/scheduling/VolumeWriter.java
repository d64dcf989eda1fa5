package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.runtime.Cluster;

/**
 * The writer of the volume decisions for the claims of a pod. The volume binder does the rest, as
 * it does for volumes whose creators reserved them for a claim.
 *
 * <p>Threads: safe.
 */
final class VolumeWriter {
  private final Cluster cluster;

  VolumeWriter(Cluster cluster) {
    this.cluster = cluster;
  }

  void write(VolumePlan plan) {
    for (VolumePlan.Step step : plan.steps()) {
      PersistentVolumeClaim claim = new PersistentVolumeClaim(require(step.claim()));
      switch (step) {
        case VolumePlan.Take(_, String name) -> keep(name, claim);
        case VolumePlan.Provision _ -> select(claim, plan.node());
      }
    }
  }

  private ApiObject require(ObjectKey key) {
    return cluster.get(key).orElseThrow(() -> ApiFailure.notFound(key));
  }

  private void keep(String name, PersistentVolumeClaim claim) {
    var volume = new PersistentVolume(require(Kinds.PERSISTENT_VOLUME.key(name)));
    boolean foreign = volume.isClaimed() && !volume.isFor(claim);
    if (foreign) {
      throw ApiFailure.conflict(volume.key());
    }
    if (!volume.claimUid().equals(claim.object().uid())) {
      cluster.update(Kinds.PERSISTENT_VOLUME, volume.keptFor(claim).object());
    }
  }

  private void select(PersistentVolumeClaim claim, String node) {
    if (!claim.selectedNode().equals(node)) {
      cluster.update(Kinds.PERSISTENT_VOLUME_CLAIM, claim.withSelectedNode(node).object());
    }
  }
}
