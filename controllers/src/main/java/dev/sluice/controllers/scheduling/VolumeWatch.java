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
 * The event handler for volumes, claims, storage classes and volume drivers: updates the volume
 * cache and requeues the pods that a volume plugin refused.
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

  private final VolumeCache cache;
  private final SchedulingQueue queue;

  VolumeWatch(ClusterState state, SchedulingQueue queue) {
    this.cache = state.volumes();
    this.queue = queue;
  }

  void look(ObjectKey key, Optional<ApiObject> object, Instant now) {
    if (key.kind().equals(Kinds.PERSISTENT_VOLUME)) {
      object
          .map(PersistentVolume::new)
          .ifPresentOrElse(cache::putVolume, () -> cache.removeVolume(key.name()));
    } else if (key.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM)) {
      object
          .map(PersistentVolumeClaim::new)
          .ifPresentOrElse(cache::putClaim, () -> cache.removeClaim(key));
    } else if (VolumeDrivers.KINDS.contains(key.kind())) {
      object.ifPresentOrElse(
          found -> cache.drivers().put(key, found), () -> cache.drivers().remove(key));
    } else {
      object
          .map(StorageClass::new)
          .ifPresentOrElse(cache::putClass, () -> cache.removeClass(key.name()));
    }
    queue.wakeRefusedBy(FILTERS, now);
  }
}
