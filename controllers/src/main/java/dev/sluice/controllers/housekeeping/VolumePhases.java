package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolume.Phase;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;

/** The phases of volumes: Available, Bound, Released or Failed. */
final class VolumePhases {
  private final Cluster cluster;
  private final EventRecorder events;

  VolumePhases(Cluster cluster, EventRecorder events) {
    this.cluster = cluster;
    this.events = events;
  }

  void settle(PersistentVolume volume) {
    if (volume.claimUid().isEmpty()) {
      set(volume, Phase.AVAILABLE, "");
      return;
    }
    Optional<PersistentVolumeClaim> claim =
        cluster.get(volume.claimKey()).map(PersistentVolumeClaim::new).filter(volume::isFor);
    if (claim.isEmpty()) {
      release(volume);
    } else if (claim.get().volumeName().equals(volume.name())) {
      set(volume, Phase.BOUND, "");
    } else if (!claim.get().volumeName().isEmpty()) {
      giveUp(volume);
    }
  }

  /** The claim is bound to another volume by now: this one becomes available again. */
  private void giveUp(PersistentVolume volume) {
    if (!volume.object().annotation(PersistentVolumeClaim.BOUND_BY_CONTROLLER).isEmpty()) {
      cluster.update(
          Kinds.PERSISTENT_VOLUME,
          volume
              .object()
              .without(List.of("spec", "claimRef"))
              .withoutAnnotation(PersistentVolumeClaim.BOUND_BY_CONTROLLER));
    }
  }

  private void release(PersistentVolume volume) {
    if (volume.reclaimPolicy().equals("Delete") && !volume.isProvisioned()) {
      fail(
          volume,
          "VolumeFailedDelete",
          "error getting deleter volume plugin for volume \"%s\": no deletable volume plugin matched"
              .formatted(volume.name()));
    } else if (volume.reclaimPolicy().equals("Recycle")) {
      fail(volume, "VolumeFailedRecycle", "No recycler plugin found for the volume!");
    } else {
      set(volume, Phase.RELEASED, "");
    }
  }

  private void fail(PersistentVolume volume, String reason, String message) {
    if (!volume.is(Phase.FAILED)) {
      set(volume, Phase.FAILED, message);
      events.warning(volume.object(), reason, message);
    }
  }

  void set(PersistentVolume volume, Phase phase, String message) {
    if (!volume.is(phase)) {
      cluster.patchStatus(
          Kinds.PERSISTENT_VOLUME, volume.object(), volume.statusIn(phase, message));
    }
  }
}
