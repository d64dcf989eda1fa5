package dev.sluice.engine.volumes;

import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a PersistentVolume for a claim: the one that is reserved for it if there is one,
 * else the smallest that is available and large enough; among equals the first.
 */
public final class VolumeMatching {
  private VolumeMatching() {}

  /** The volume for a claim, whatever the node of its pods. */
  public static Optional<PersistentVolume> anywhere(
      PersistentVolumeClaim claim, Collection<PersistentVolume> volumes) {
    return find(claim, volumes, _ -> true, true);
  }

  /** The volume that is reserved for a claim that otherwise waits for its first consumer. */
  public static Optional<PersistentVolume> kept(
      PersistentVolumeClaim claim, Collection<PersistentVolume> volumes) {
    return find(claim, volumes, _ -> true, false);
  }

  /** The volume for a claim among those that its pod's node can reach. */
  public static Optional<PersistentVolume> reachable(
      PersistentVolumeClaim claim,
      Collection<PersistentVolume> volumes,
      Predicate<PersistentVolume> reachable) {
    return find(claim, volumes, reachable, true);
  }

  private static Optional<PersistentVolume> find(
      PersistentVolumeClaim claim,
      Collection<PersistentVolume> volumes,
      Predicate<PersistentVolume> reachable,
      boolean takesFree) {
    @Nullable PersistentVolume smallest = null;
    for (PersistentVolume volume : volumes) {
      if (!suits(claim, volume)) {
        continue;
      }
      if (volume.isFor(claim)) {
        return Optional.of(volume).filter(reachable);
      }
      boolean better = smallest == null || volume.size().compareTo(smallest.size()) < 0;
      if (takesFree && better && isFree(claim, volume) && reachable.test(volume)) {
        smallest = volume;
      }
    }
    return Optional.ofNullable(smallest);
  }

  /** Whether a volume suits a claim, reserved for it or available. */
  private static boolean suits(PersistentVolumeClaim claim, PersistentVolume volume) {
    return (!volume.isClaimed() || volume.isFor(claim))
        && volume.size().compareTo(claim.size()) >= 0
        && volume.volumeMode().equals(claim.volumeMode())
        && volume.attributesClass().equals(claim.attributesClass())
        && !volume.object().isDeleting();
  }

  private static boolean isFree(PersistentVolumeClaim claim, PersistentVolume volume) {
    return volume.is(PersistentVolume.Phase.AVAILABLE)
        && volume.storageClassName().equals(claim.storageClassName())
        && claim.selects(volume.labels())
        && volume.accessModes().containsAll(claim.accessModes());
  }
}
