package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.VolumeCache;
import dev.sluice.engine.scheduling.cluster.VolumeDrivers;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Brings what the scheduler knows of volumes up to date, and wakes the pods that waited for them.
 */
final class VolumeWatch {
  static final List<ResourceKind> KINDS =
      List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.STORAGE_CLASS);
  private static final List<Plugin> FILTERS =
      List.of(
          Plugin.VOLUME_RESTRICTIONS,
          Plugin.NODE_VOLUME_LIMITS,
          Plugin.VOLUME_BINDING,
          Plugin.VOLUME_ZONE);

  private final VolumeCache book;
  private final SchedulingQueue queue;

  VolumeWatch(ClusterState state, SchedulingQueue queue) {
    this.book = state.volumes();
    this.queue = queue;
  }

  void look(ObjectKey key, Optional<ApiObject> object, Instant now) {
    if (key.kind().equals(Kinds.PERSISTENT_VOLUME)) {
      object
          .map(PersistentVolume::new)
          .ifPresentOrElse(book::putVolume, () -> book.removeVolume(key.name()));
    } else if (key.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM)) {
      object
          .map(PersistentVolumeClaim::new)
          .ifPresentOrElse(book::putClaim, () -> book.removeClaim(key));
    } else if (VolumeDrivers.KINDS.contains(key.kind())) {
      object.ifPresentOrElse(
          found -> book.drivers().put(key, found), () -> book.drivers().remove(key));
    } else {
      object
          .map(StorageClass::new)
          .ifPresentOrElse(book::putClass, () -> book.removeClass(key.name()));
    }
    queue.wakeRefusedBy(FILTERS, now);
  }
}
