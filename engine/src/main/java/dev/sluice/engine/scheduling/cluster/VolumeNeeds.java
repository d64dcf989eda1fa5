package dev.sluice.engine.scheduling.cluster;

import dev.sluice.engine.volumes.VolumeMatching;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.ClaimUse;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The requirements of a pod's claims on its node: it must reach the bound volumes, and volumes for
 * the claims that wait for their first consumer.
 *
 * @param problem why the pod fits on no node; empty if there is no such reason
 * @param bound the claims that are bound
 * @param waiting the claims that are bound together with the pod, the smallest first
 */
public record VolumeNeeds(
    String problem, List<PersistentVolumeClaim> bound, List<PersistentVolumeClaim> waiting) {
  private static final VolumeNeeds NONE = new VolumeNeeds("", List.of(), List.of());

  public static VolumeNeeds of(PodFacts pod, VolumeCache cache) {
    if (pod.signature().volumeClaims().isEmpty()) {
      return NONE;
    }
    var bound = new ArrayList<PersistentVolumeClaim>();
    var waiting = new ArrayList<PersistentVolumeClaim>();
    boolean unbound = false;
    for (ClaimUse use : pod.signature().volumeClaims()) {
      ObjectKey key = use.claim(pod.namespace(), pod.key().name());
      Optional<PersistentVolumeClaim> claim = cache.claim(key);
      String problem = problem(use, key, claim, pod, cache);
      if (claim.isEmpty() || !problem.isEmpty()) {
        return new VolumeNeeds(problem, List.of(), List.of());
      }
      boolean waits = waitsForPod(claim.get(), cache);
      unbound |= !claim.get().isBound() && !waits;
      (claim.get().isBound() ? bound : waiting).add(claim.get());
    }
    waiting.sort(Comparator.comparing(PersistentVolumeClaim::size));
    return new VolumeNeeds(
        unbound ? "pod has unbound immediate PersistentVolumeClaims" : "", bound, waiting);
  }

  private static String problem(
      ClaimUse use,
      ObjectKey key,
      Optional<PersistentVolumeClaim> claim,
      PodFacts pod,
      VolumeCache cache) {
    if (claim.isEmpty()) {
      return use.ownClaim()
          ? "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
              .formatted(key.name())
          : "persistentvolumeclaim \"%s\" not found".formatted(key.name());
    }
    PersistentVolumeClaim found = claim.get();
    if (found.isLost()) {
      return "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
          .formatted(key.name(), found.volumeName());
    }
    if (found.object().isDeleting()) {
      return "persistentvolumeclaim \"%s\" is being deleted".formatted(key.name());
    }
    if (found.isBound() && cache.volume(found.volumeName()).isEmpty()) {
      return "persistentvolume \"%s\" not found".formatted(found.volumeName());
    }
    boolean foreign =
        use.ownClaim() && !found.owningPod().filter(uid -> uid.equals(pod.uid())).isPresent();
    return foreign
        ? "PVC %s was not created for pod %s/%s (pod is not owner)"
            .formatted(key.namespace() + "/" + key.name(), pod.namespace(), pod.key().name())
        : "";
  }

  private static boolean waitsForPod(PersistentVolumeClaim claim, VolumeCache cache) {
    return claim.volumeName().isEmpty()
        && cache
            .storageClass(claim.storageClassName())
            .filter(StorageClass::waitsForConsumer)
            .isPresent();
  }

  /** The plan for the waiting claims on a node; empty if there are no volumes for them. */
  public Optional<VolumePlan> planOn(NodeFacts node, VolumeCache cache) {
    var steps = new ArrayList<VolumePlan.Step>();
    var taken = new TreeSet<String>();
    for (PersistentVolumeClaim claim : waiting) {
      Optional<VolumePlan.Step> step = step(claim, node, cache, taken);
      if (step.isEmpty()) {
        return Optional.empty();
      }
      steps.add(step.get());
    }
    return Optional.of(new VolumePlan(node.name(), steps));
  }

  private static Optional<VolumePlan.Step> step(
      PersistentVolumeClaim claim, NodeFacts node, VolumeCache cache, TreeSet<String> taken) {
    String selected = cache.selectedNode(claim);
    if (!selected.isEmpty() && !selected.equals(node.name())) {
      return Optional.empty();
    }
    if (claim.selectedNode().isEmpty()) {
      Optional<PersistentVolume> found =
          VolumeMatching.reachable(
              claim,
              cache.volumes(),
              volume ->
                  !taken.contains(volume.name())
                      && cache.mayTake(claim.key(), volume.name())
                      && volume.reachableFrom(node.name(), node.labels()));
      if (found.isPresent()) {
        taken.add(found.get().name());
        return Optional.of(new VolumePlan.Take(claim.key(), found.get().name()));
      }
    }
    return cache
        .storageClass(claim.storageClassName())
        .filter(storage -> storage.provisions() && storage.allows(node.labels()))
        .map(_ -> new VolumePlan.Provision(claim.key()));
  }
}
