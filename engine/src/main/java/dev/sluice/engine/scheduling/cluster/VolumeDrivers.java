package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.storage.CsiDriver;
import dev.sluice.model.core.storage.CsiNode;
import dev.sluice.model.core.storage.CsiStorageCapacity;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import dev.sluice.model.core.storage.VolumeAttachment;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of the volume drivers: how many volumes they can attach to each node, which ones are
 * attached, and how much storage is left where.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class VolumeDrivers {
  /** The kinds by which drivers report it. */
  public static final List<ResourceKind> KINDS =
      List.of(
          Kinds.CSI_NODE, Kinds.CSI_DRIVER, Kinds.CSI_STORAGE_CAPACITY, Kinds.VOLUME_ATTACHMENT);

  private final TreeMap<String, SortedMap<String, Long>> limits = new TreeMap<>();
  private final TreeSet<String> reportCapacity = new TreeSet<>();
  private final TreeMap<ObjectKey, CsiStorageCapacity> capacities = new TreeMap<>();
  private final TreeMap<ObjectKey, String> attachments = new TreeMap<>();

  /** The names of the volumes that are attached, by node and attachment. */
  private final TreeMap<String, SortedMap<ObjectKey, String>> attached = new TreeMap<>();

  private long version;

  VolumeDrivers() {}

  /** Adds or updates an object of one of the {@link #KINDS}. */
  public void put(ObjectKey key, ApiObject object) {
    remove(key);
    if (key.kind().equals(Kinds.CSI_NODE)) {
      limits.put(key.name(), new CsiNode(object).limits());
    } else if (key.kind().equals(Kinds.CSI_STORAGE_CAPACITY)) {
      capacities.put(key, new CsiStorageCapacity(object));
    } else if (key.kind().equals(Kinds.VOLUME_ATTACHMENT)) {
      var attachment = new VolumeAttachment(object);
      attachments.put(key, attachment.nodeName());
      attached
          .computeIfAbsent(attachment.nodeName(), _ -> new TreeMap<>())
          .put(key, attachment.volumeName());
    } else if (new CsiDriver(object).tellsCapacity()) {
      reportCapacity.add(key.name());
    }
  }

  /** Forgets an object that is gone. */
  public void remove(ObjectKey key) {
    version++;
    if (key.kind().equals(Kinds.CSI_NODE)) {
      limits.remove(key.name());
    } else if (key.kind().equals(Kinds.CSI_STORAGE_CAPACITY)) {
      capacities.remove(key);
    } else if (key.kind().equals(Kinds.CSI_DRIVER)) {
      reportCapacity.remove(key.name());
    } else {
      String node = attachments.remove(key);
      if (node != null) {
        attached.computeIfPresent(
            node,
            (_, volumes) -> {
              volumes.remove(key);
              return volumes.isEmpty() ? null : volumes;
            });
      }
    }
  }

  /** How many volumes of each driver a node can have; a driver that is missing has no limit. */
  public SortedMap<String, Long> limits(String node) {
    return limits.getOrDefault(node, Collections.emptySortedMap());
  }

  /** The names of the volumes that are attached to a node, for any pod. */
  public Collection<String> attachedTo(String node) {
    return attached.getOrDefault(node, Collections.emptySortedMap()).values();
  }

  /**
   * Whether there is storage for a claim that a node can reach, or its capacity is not reported.
   */
  boolean haveRoom(PersistentVolumeClaim claim, StorageClass storage, NodeFacts node) {
    return !reportCapacity.contains(storage.provisioner())
        || capacities.values().stream()
            .anyMatch(capacity ->
                capacity.storageClassName().equals(storage.name())
                    && capacity.has(claim.size())
                    && capacity.reaches(node.labels()));
  }

  /** Grows with every change of anything. */
  long version() {
    return version;
  }
}
