package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeFacts;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumeCache;
import dev.sluice.engine.scheduling.cluster.VolumeNeeds;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.engine.scheduling.framework.ClusterFilter;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The filter of VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone: a pod needs a
 * node that reaches its volumes, and shares none that is ReadWriteOncePod.
 */
public final class VolumeFilter implements ClusterFilter {
  private static final FilterResult IN_USE =
      FilterResult.rejected(
          Plugin.VOLUME_RESTRICTIONS,
          "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode"
              + " already in-use by another pod");
  private static final FilterResult OTHER_ZONE =
      FilterResult.unresolvable(Plugin.VOLUME_ZONE, "node(s) had no available volume zone");
  private static final String OUT_OF_REACH =
      "node(s) didn't match PersistentVolume's node affinity";
  private static final String NONE_FREE =
      "node(s) didn't find available persistent volumes to bind";
  private static final String NO_ROOM = "node(s) did not have enough free storage";

  /** The topology labels of a volume, some of them with several values. */
  private static final List<String> ZONES =
      List.of(
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region");

  private final boolean restricts;
  private final boolean limitsVolumes;
  private final boolean looksAtZones;

  public VolumeFilter(Profile profile) {
    this.restricts = profile.filters().contains(Plugin.VOLUME_RESTRICTIONS);
    this.limitsVolumes = profile.filters().contains(Plugin.NODE_VOLUME_LIMITS);
    this.looksAtZones = profile.filters().contains(Plugin.VOLUME_ZONE);
  }

  @Override
  public Optional<PreFiltered> prepare(PodFacts pod, ClusterState cluster) {
    if (pod.signature().volumeClaims().isEmpty()) {
      return Optional.empty();
    }
    VolumeCache cache = cluster.volumes();
    VolumeNeeds needs = VolumeNeeds.of(pod, cache);
    var exclusive = new ArrayList<ObjectKey>();
    var volumes = new ArrayList<PersistentVolume>();
    for (PersistentVolumeClaim claim : needs.bound()) {
      cache.volume(claim.volumeName()).ifPresent(volumes::add);
      if (claim.isForOnePod()) {
        exclusive.add(claim.key());
      }
    }
    needs.waiting().stream()
        .filter(PersistentVolumeClaim::isForOnePod)
        .forEach(claim -> exclusive.add(claim.key()));
    int users = exclusive.stream().mapToInt(cache::users).sum();
    return Optional.of(new Volumes(pod, cache, needs, exclusive, volumes, users));
  }

  /** The volumes of one pod. */
  private final class Volumes implements PreFiltered {
    private final PodFacts pod;
    private final VolumeCache cache;
    private final VolumeNeeds needs;
    private final List<ObjectKey> exclusive;
    private final List<PersistentVolume> volumes;

    /** The number of pods that use a ReadWriteOncePod claim of this one. */
    private long users;

    Volumes(
        PodFacts pod,
        VolumeCache cache,
        VolumeNeeds needs,
        List<ObjectKey> exclusive,
        List<PersistentVolume> volumes,
        long users) {
      this.pod = pod;
      this.cache = cache;
      this.needs = needs;
      this.exclusive = exclusive;
      this.volumes = volumes;
      this.users = users;
    }

    @Override
    public FilterResult filter(NodeState node) {
      if (users > 0 && restricts) {
        return IN_USE;
      }
      FilterResult attached =
          limitsVolumes ? NodeVolumeLimits.filter(pod, node, cache) : FilterResult.FITS;
      return attached.fits() ? whereabouts(node.facts()) : attached;
    }

    private FilterResult whereabouts(NodeFacts facts) {
      var reasons = new ArrayList<String>();
      if (!volumes.stream()
          .allMatch(volume -> volume.reachableFrom(facts.name(), facts.labels()))) {
        reasons.add(OUT_OF_REACH);
      }
      Optional<VolumePlan> plan = needs.planOn(facts, cache);
      if (plan.isEmpty()) {
        reasons.add(NONE_FREE);
      } else if (!cache.hasRoom(plan.get(), facts)) {
        reasons.add(NO_ROOM);
      }
      if (!reasons.isEmpty()) {
        return new FilterResult(Optional.of(Plugin.VOLUME_BINDING), reasons, false);
      }
      return !looksAtZones || volumes.stream().allMatch(volume -> isInZone(volume, facts.labels()))
          ? FilterResult.FITS
          : OTHER_ZONE;
    }

    /** A node without topology labels matches every volume. */
    private static boolean isInZone(PersistentVolume volume, Map<String, String> node) {
      if (ZONES.stream().noneMatch(node::containsKey)) {
        return true;
      }
      for (String key : ZONES) {
        String zones = volume.labels().get(key);
        boolean there =
            zones == null || List.of(zones.split("__", -1)).contains(node.getOrDefault(key, ""));
        if (!there) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void change(PodFacts other, NodeState node, long by) {
      users += by * other.claims().stream().filter(exclusive::contains).count();
    }

    @Override
    public PreFiltered copy() {
      return new Volumes(pod, cache, needs, exclusive, volumes, users);
    }
  }
}
