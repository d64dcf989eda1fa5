package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.engine.volumes.VolumeMatching;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolume.Phase;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The volume binder: binds claims to existing volumes, as kube-controller-manager does. Volumes are
 * created by administrators or external provisioners, never here.
 *
 * <p>A binding is four writes: the volume's spec names its claim, its status follows, then the
 * claim's spec and status. The controller can be stopped after each of them and continues from
 * there.
 */
public final class VolumeBinder implements Controller {
  private final Cluster cluster;
  private final EventRecorder events;
  private final VolumePhases phases;

  public VolumeBinder(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "persistentvolume-controller");
    this.phases = new VolumePhases(cluster, events);
  }

  @Override
  public String name() {
    return "volume-binder";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.PERSISTENT_VOLUME_CLAIM, VolumeBinder::claimChanged),
        new Trigger(Kinds.PERSISTENT_VOLUME, this::volumeChanged),
        new Trigger(Kinds.STORAGE_CLASS, this::classChanged));
  }

  private static List<ObjectKey> claimChanged(ObjectEvent event) {
    var claim = new PersistentVolumeClaim(event.object());
    return claim.volumeName().isEmpty()
        ? List.of(claim.key())
        : List.of(claim.key(), Kinds.PERSISTENT_VOLUME.key(claim.volumeName()));
  }

  private List<ObjectKey> volumeChanged(ObjectEvent event) {
    var volume = new PersistentVolume(event.object());
    var keys = new ArrayList<ObjectKey>();
    keys.add(volume.key());
    if (volume.isClaimed()) {
      keys.add(volume.claimKey());
    } else {
      keys.addAll(waiting(volume.storageClassName()));
    }
    return keys;
  }

  private List<ObjectKey> classChanged(ObjectEvent event) {
    var keys = new ArrayList<>(waiting(event.object().name()));
    keys.addAll(waiting(""));
    return keys;
  }

  /** The unbound claims of a storage class. */
  private List<ObjectKey> waiting(String storageClass) {
    return cluster.list(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
        .map(PersistentVolumeClaim::new)
        .filter(claim -> !claim.isBound() && claim.storageClassName().equals(storageClass))
        .map(PersistentVolumeClaim::key)
        .toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key);
    if (found.isPresent() && key.kind().equals(Kinds.PERSISTENT_VOLUME)) {
      phases.settle(new PersistentVolume(found.get()));
    } else if (found.isPresent()) {
      settle(new PersistentVolumeClaim(found.get()));
    }
    return Outcome.DONE;
  }

  private void settle(PersistentVolumeClaim claim) {
    if (claim.isBound()) {
      keepBound(claim);
    } else if (!claim.volumeName().isEmpty()) {
      bindToNamed(claim);
    } else if (!claim.object().isDeleting()) {
      findVolume(claim);
    }
  }

  private void findVolume(PersistentVolumeClaim claim) {
    List<PersistentVolume> volumes =
        cluster.list(Kinds.PERSISTENT_VOLUME).stream().map(PersistentVolume::new).toList();
    Optional<StorageClass> storage = storageClass(claim.storageClassName());
    boolean waits = storage.filter(StorageClass::waitsForConsumer).isPresent();
    Optional<PersistentVolume> volume =
        waits ? VolumeMatching.kept(claim, volumes) : VolumeMatching.anywhere(claim, volumes);
    Optional<StorageClass> byDefault = defaultClass();
    if (volume.isPresent()) {
      bind(volume.get(), claim);
    } else if (!claim.namesClass() && byDefault.isPresent()) {
      cluster.update(
          Kinds.PERSISTENT_VOLUME_CLAIM, claim.withStorageClass(byDefault.get().name()).object());
    } else {
      tellWhyItWaits(claim, storage, waits && claim.selectedNode().isEmpty());
    }
  }

  private void tellWhyItWaits(
      PersistentVolumeClaim claim, Optional<StorageClass> storage, boolean waits) {
    if (waits) {
      events.normal(
          claim.object(),
          "WaitForFirstConsumer",
          "waiting for first consumer to be created before binding");
    } else if (storage.isPresent()) {
      events.normal(
          claim.object(),
          "ExternalProvisioning",
          "Waiting for a volume to be created either by the external provisioner '%s' or manually"
                  .formatted(storage.get().object().tree().text("provisioner"))
              + " by the system administrator. If volume creation is delayed, please verify that"
              + " the provisioner is running and correctly registered.");
    } else if (claim.storageClassName().isEmpty()) {
      events.normal(
          claim.object(),
          "FailedBinding",
          "no persistent volumes available for this claim and no storage class is set");
    } else {
      events.warning(
          claim.object(),
          "ProvisioningFailed",
          "storageclass.storage.k8s.io \"%s\" not found".formatted(claim.storageClassName()));
    }
  }

  private Optional<StorageClass> storageClass(String name) {
    return name.isEmpty()
        ? Optional.empty()
        : cluster.get(Kinds.STORAGE_CLASS.key(name)).map(StorageClass::new);
  }

  private Optional<StorageClass> defaultClass() {
    return StorageClass.newestDefault(cluster.list(Kinds.STORAGE_CLASS));
  }

  private void bindToNamed(PersistentVolumeClaim claim) {
    Optional<PersistentVolume> volume = volume(claim.volumeName());
    if (volume.isEmpty()) {
      return;
    }
    if (volume.get().isClaimed() && !volume.get().isFor(claim)) {
      events.warning(
          claim.object(),
          "FailedBinding",
          "volume \"%s\" already bound to a different claim.".formatted(claim.volumeName()));
    } else {
      bind(volume.get(), claim);
    }
  }

  private void keepBound(PersistentVolumeClaim claim) {
    Optional<PersistentVolume> volume = volume(claim.volumeName());
    if (volume.isEmpty()) {
      lose(
          claim,
          "ClaimLost",
          "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
    } else if (volume.get().isClaimed() && !volume.get().isFor(claim)) {
      lose(
          claim,
          "ClaimMisbound",
          "Two claims are bound to the same volume, this one is bound incorrectly");
    } else {
      bind(volume.get(), claim);
    }
  }

  private void lose(PersistentVolumeClaim claim, String reason, String message) {
    if (!claim.isLost()) {
      cluster.patchStatus(Kinds.PERSISTENT_VOLUME_CLAIM, claim.object(), claim.lostStatus());
      events.warning(claim.object(), reason, message);
    }
  }

  private Optional<PersistentVolume> volume(String name) {
    return cluster.get(Kinds.PERSISTENT_VOLUME.key(name)).map(PersistentVolume::new);
  }

  private void bind(PersistentVolume volume, PersistentVolumeClaim claim) {
    PersistentVolume kept =
        volume.claimUid().equals(claim.object().uid())
            ? volume
            : new PersistentVolume(
                cluster.update(Kinds.PERSISTENT_VOLUME, volume.keptFor(claim).object()));
    phases.set(kept, Phase.BOUND, "");
    PersistentVolumeClaim bound = claim;
    if (!claim.isBound()) {
      ApiObject named = claim.withVolume(volume.name()).object();
      bound = new PersistentVolumeClaim(cluster.update(Kinds.PERSISTENT_VOLUME_CLAIM, named));
    }
    if (!bound.statusWith(kept).equals(bound.object().status())) {
      cluster.patchStatus(Kinds.PERSISTENT_VOLUME_CLAIM, bound.object(), bound.statusWith(kept));
    }
  }
}
