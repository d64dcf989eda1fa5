package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cache of PersistentVolumeClaims, PersistentVolumes and StorageClasses, with the number of
 * assigned pods that use each claim, and the volumes assumed for pods that are not bound yet.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class VolumeCache {
  private final TreeMap<ObjectKey, PersistentVolumeClaim> claims = new TreeMap<>();
  private final TreeMap<String, PersistentVolume> volumes = new TreeMap<>();
  private final TreeMap<String, StorageClass> classes = new TreeMap<>();
  private final TreeMap<ObjectKey, Integer> users = new TreeMap<>();
  private final LinkedHashMap<ObjectKey, VolumePlan> promises = new LinkedHashMap<>();

  /** The volumes of the assumed plans by claim, and the claims by volume. */
  private final TreeMap<ObjectKey, String> promisedVolumes = new TreeMap<>();

  private final TreeMap<String, ObjectKey> promisedClaims = new TreeMap<>();

  /** The nodes for which volumes will be provisioned, by claim. */
  private final TreeMap<ObjectKey, String> promisedNodes = new TreeMap<>();

  private final TreeSet<ObjectKey> written = new TreeSet<>();
  private final VolumeDrivers drivers = new VolumeDrivers();
  private long version;

  VolumeCache() {}

  public void putClaim(PersistentVolumeClaim claim) {
    claims.put(claim.key(), claim);
    version++;
  }

  public void removeClaim(ObjectKey key) {
    claims.remove(key);
    version++;
  }

  public void putVolume(PersistentVolume volume) {
    volumes.put(volume.name(), volume);
    version++;
  }

  public void removeVolume(String name) {
    volumes.remove(name);
    version++;
  }

  public void putClass(StorageClass storage) {
    classes.put(storage.name(), storage);
    version++;
  }

  public void removeClass(String name) {
    classes.remove(name);
    version++;
  }

  /** Counts a pod that was assigned to a node, or with {@code by} -1 one that left. */
  void use(PodFacts pod, int by) {
    for (ObjectKey claim : pod.claims()) {
      users.merge(claim, by, (before, more) -> before + more == 0 ? null : before + more);
    }
  }

  public int users(ObjectKey claim) {
    return users.getOrDefault(claim, 0);
  }

  /** The plan for a pod's claims on a node; only if the pod fits there. */
  public VolumePlan plan(PodFacts pod, String node, ClusterState cluster) {
    if (pod.signature().volumeClaims().isEmpty()) {
      return VolumePlan.NONE;
    }
    return cluster
        .node(node)
        .flatMap(where -> VolumeNeeds.of(pod, this).planOn(where.facts(), this))
        .orElse(VolumePlan.NONE);
  }

  /** Assumes a plan: other pods cannot use its volumes. */
  public void promise(ObjectKey pod, VolumePlan plan) {
    if (!plan.isEmpty()) {
      promises.put(pod, plan);
      note(plan);
      version++;
    }
  }

  /** Forgets the plan of a pod; what was written of it is seen in the objects. */
  public void forget(ObjectKey pod) {
    written.remove(pod);
    if (promises.remove(pod) != null) {
      promisedVolumes.clear();
      promisedClaims.clear();
      promisedNodes.clear();
      promises.values().forEach(this::note);
      version++;
    }
  }

  private void note(VolumePlan plan) {
    for (VolumePlan.Step step : plan.steps()) {
      switch (step) {
        case VolumePlan.Take(ObjectKey claim, String volume) -> {
          promisedVolumes.put(claim, volume);
          promisedClaims.put(volume, claim);
        }
        case VolumePlan.Provision(ObjectKey claim) -> promisedNodes.put(claim, plan.node());
      }
    }
  }

  /** Notes that a pod's plan was written. */
  public void written(ObjectKey pod) {
    if (promises.containsKey(pod)) {
      written.add(pod);
    }
  }

  public boolean isWritten(ObjectKey pod) {
    return written.contains(pod);
  }

  /** The plan assumed for a pod. */
  public VolumePlan promised(ObjectKey pod) {
    return promises.getOrDefault(pod, VolumePlan.NONE);
  }

  /** Whether no assumed plan keeps a claim from a volume. */
  boolean mayTake(ObjectKey claim, String volume) {
    return promisedVolumes.getOrDefault(claim, volume).equals(volume)
        && promisedClaims.getOrDefault(volume, claim).equals(claim);
  }

  /** The selected node of a claim; empty if there is none. */
  String selectedNode(PersistentVolumeClaim claim) {
    return promisedNodes.getOrDefault(claim.key(), claim.selectedNode());
  }

  public VolumeDrivers drivers() {
    return drivers;
  }

  /** Whether there is storage for all volumes that a plan provisions on a node. */
  public boolean hasRoom(VolumePlan plan, NodeFacts node) {
    for (VolumePlan.Step step : plan.steps()) {
      if (step instanceof VolumePlan.Provision(ObjectKey key) && !hasRoom(key, node)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasRoom(ObjectKey key, NodeFacts node) {
    PersistentVolumeClaim claim = claims.get(key);
    StorageClass storage = claim == null ? null : classes.get(claim.storageClassName());
    return claim == null || storage == null || drivers.haveRoom(claim, storage, node);
  }

  public Optional<PersistentVolumeClaim> claim(ObjectKey key) {
    return Optional.ofNullable(claims.get(key));
  }

  public Optional<PersistentVolume> volume(String name) {
    return Optional.ofNullable(volumes.get(name));
  }

  Collection<PersistentVolume> volumes() {
    return Collections.unmodifiableCollection(volumes.values());
  }

  public Optional<StorageClass> storageClass(String name) {
    return Optional.ofNullable(classes.get(name));
  }

  /** Grows with every change of anything. */
  long version() {
    return version + drivers.version();
  }
}
