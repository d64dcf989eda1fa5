package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumeCache;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The filter of NodeVolumeLimits: a driver can attach a limited number of volumes to a node. A
 * volume that several pods of a node share is attached once.
 */
final class NodeVolumeLimits {
  private static final FilterResult TOO_MANY =
      FilterResult.rejected(Plugin.NODE_VOLUME_LIMITS, "node(s) exceed max volume count");

  /** A volume by its driver's handle, or by its claim if it is not provisioned yet. */
  private record Attached(String driver, String volume) implements Comparable<Attached> {
    private static final Comparator<Attached> ORDER =
        Comparator.comparing(Attached::driver).thenComparing(Attached::volume);

    @Override
    public int compareTo(Attached other) {
      return ORDER.compare(this, other);
    }
  }

  private NodeVolumeLimits() {}

  static FilterResult filter(PodFacts pod, NodeState node, VolumeCache cache) {
    SortedMap<String, Long> limits = cache.drivers().limits(node.name());
    if (limits.isEmpty()) {
      return FilterResult.FITS;
    }
    var more = new TreeSet<Attached>();
    pod.claims().forEach(claim -> attached(claim, cache).ifPresent(more::add));
    SortedSet<Attached> there = on(node, cache);
    more.removeAll(there);
    SortedMap<String, Long> counts = counts(there);
    for (var wanted : counts(more).entrySet()) {
      String driver = wanted.getKey();
      long sum = wanted.getValue() + counts.getOrDefault(driver, 0L);
      if (sum > limits.getOrDefault(driver, Long.MAX_VALUE)) {
        return TOO_MANY;
      }
    }
    return FilterResult.FITS;
  }

  /** The volumes that the node's pods need, and those still attached for other pods. */
  private static SortedSet<Attached> on(NodeState node, VolumeCache cache) {
    var there = new TreeSet<Attached>();
    for (PodFacts pod : node.pods()) {
      pod.claims().forEach(claim -> attached(claim, cache).ifPresent(there::add));
    }
    for (String name : cache.drivers().attachedTo(node.name())) {
      cache.volume(name).flatMap(NodeVolumeLimits::attached).ifPresent(there::add);
    }
    return there;
  }

  private static SortedMap<String, Long> counts(SortedSet<Attached> volumes) {
    var counts = new TreeMap<String, Long>();
    volumes.forEach(volume -> counts.merge(volume.driver(), 1L, Long::sum));
    return counts;
  }

  private static Optional<Attached> attached(ObjectKey key, VolumeCache cache) {
    Optional<PersistentVolumeClaim> claim = cache.claim(key);
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    Optional<PersistentVolume> volume = cache.volume(claim.get().volumeName());
    return volume.isPresent()
        ? attached(volume.get())
        : cache
            .storageClass(claim.get().storageClassName())
            .map(StorageClass::provisioner)
            .map(driver -> new Attached(driver, key.namespace() + "/" + key.name()));
  }

  private static Optional<Attached> attached(PersistentVolume volume) {
    return volume.driver().isEmpty()
        ? Optional.empty()
        : Optional.of(new Attached(volume.driver(), volume.handle()));
  }
}
