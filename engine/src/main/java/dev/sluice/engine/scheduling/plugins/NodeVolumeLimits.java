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
 * NodeVolumeLimits: a driver can attach so many volumes to a node and no more. A volume that
 * several pods of a node share is attached once.
 */
final class NodeVolumeLimits {
  private static final FilterResult TOO_MANY =
      FilterResult.rejected(Plugin.NODE_VOLUME_LIMITS, "node(s) exceed max volume count");

  /** A volume as its driver knows it, or as it will: by the claim for which it is made. */
  private record Attached(String driver, String volume) implements Comparable<Attached> {
    private static final Comparator<Attached> ORDER =
        Comparator.comparing(Attached::driver).thenComparing(Attached::volume);

    @Override
    public int compareTo(Attached other) {
      return ORDER.compare(this, other);
    }
  }

  private NodeVolumeLimits() {}

  static FilterResult judge(PodFacts pod, NodeState node, VolumeCache book) {
    SortedMap<String, Long> limits = book.drivers().limits(node.name());
    if (limits.isEmpty()) {
      return FilterResult.FITS;
    }
    var more = new TreeSet<Attached>();
    pod.claims().forEach(claim -> attached(claim, book).ifPresent(more::add));
    SortedSet<Attached> there = on(node, book);
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

  /** What its pods need, and what is still attached for others. */
  private static SortedSet<Attached> on(NodeState node, VolumeCache book) {
    var there = new TreeSet<Attached>();
    for (PodFacts pod : node.pods()) {
      pod.claims().forEach(claim -> attached(claim, book).ifPresent(there::add));
    }
    for (String name : book.drivers().attachedTo(node.name())) {
      book.volume(name).flatMap(NodeVolumeLimits::attached).ifPresent(there::add);
    }
    return there;
  }

  private static SortedMap<String, Long> counts(SortedSet<Attached> volumes) {
    var counts = new TreeMap<String, Long>();
    volumes.forEach(volume -> counts.merge(volume.driver(), 1L, Long::sum));
    return counts;
  }

  private static Optional<Attached> attached(ObjectKey key, VolumeCache book) {
    Optional<PersistentVolumeClaim> claim = book.claim(key);
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    Optional<PersistentVolume> volume = book.volume(claim.get().volumeName());
    return volume.isPresent()
        ? attached(volume.get())
        : book.storageClass(claim.get().storageClassName())
            .map(StorageClass::provisioner)
            .map(driver -> new Attached(driver, key.namespace() + "/" + key.name()));
  }

  private static Optional<Attached> attached(PersistentVolume volume) {
    return volume.driver().isEmpty()
        ? Optional.empty()
        : Optional.of(new Attached(volume.driver(), volume.handle()));
  }
}
