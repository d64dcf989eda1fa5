package dev.sluice.controllers.housekeeping;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolume.Phase;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.Optional;

/**
 * The protection of storage objects in use: removes the finalizer of deleted claims once no bound
 * pod uses them, and of deleted volumes once they are not bound.
 */
public final class VolumeProtection implements Controller {
  private final Cluster cluster;

  public VolumeProtection(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "volume-protection";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.on(Kinds.PERSISTENT_VOLUME_CLAIM),
        Trigger.on(Kinds.PERSISTENT_VOLUME),
        new Trigger(Kinds.POD, VolumeProtection::podChanged));
  }

  private static List<ObjectKey> podChanged(ObjectEvent event) {
    Pod pod = new Pod(event.object());
    boolean done = event.type() == ObjectEvent.Type.DELETED || pod.isTerminal();
    return done ? claims(pod) : List.of();
  }

  private static List<ObjectKey> claims(Pod pod) {
    return pod.spec().volumeClaims().stream()
        .map(use -> use.claim(pod.namespace(), pod.name()))
        .toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key).filter(ApiObject::isDeleting);
    if (found.isEmpty()) {
      return Outcome.DONE;
    }
    boolean volume = key.kind().equals(Kinds.PERSISTENT_VOLUME);
    String finalizer = volume ? PersistentVolume.PROTECTION : PersistentVolumeClaim.PROTECTION;
    boolean needed = volume ? new PersistentVolume(found.get()).is(Phase.BOUND) : isUsed(key);
    if (found.get().hasFinalizer(finalizer) && !needed) {
      cluster.update(key.kind(), found.get().withoutFinalizer(finalizer));
    }
    return Outcome.DONE;
  }

  /** A pod without a node does not use the claim's volume yet; its scheduling will fail. */
  private boolean isUsed(ObjectKey claim) {
    return cluster.list(Kinds.POD, claim.namespace()).stream()
        .map(Pod::new)
        .anyMatch(pod -> pod.isBound() && !pod.isTerminal() && claims(pod).contains(claim));
  }
}
