package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * A disk that a pod mounts without a claim, of a type that pods on one node cannot share freely.
 *
 * @param source its field, such as {@code gcePersistentDisk}
 * @param monitors the Ceph monitors of an RBD image
 * @param readOnly whether it can be shared for reading
 */
public record Disk(String source, String name, List<String> monitors, boolean readOnly) {
  private static final String GOOGLE = "gcePersistentDisk";
  private static final String AMAZON = "awsElasticBlockStore";
  private static final String ISCSI = "iscsi";
  private static final String CEPH = "rbd";

  public Disk {
    monitors = List.copyOf(monitors);
  }

  static List<Disk> of(Tree podSpec) {
    return podSpec.trees("volumes").stream().flatMap(Disk::ofVolume).toList();
  }

  private static Stream<Disk> ofVolume(Tree volume) {
    return Stream.of(GOOGLE, AMAZON, ISCSI, CEPH)
        .filter(volume::has)
        .map(source -> of(source, volume.tree(source)));
  }

  private static Disk of(String source, Tree disk) {
    boolean readOnly = disk.flag("readOnly");
    return switch (source) {
      case GOOGLE -> new Disk(source, disk.text("pdName"), List.of(), readOnly);
      case ISCSI -> new Disk(source, disk.text("iqn"), List.of(), readOnly);
      case CEPH ->
          new Disk(
              source,
              disk.text("pool") + "/" + disk.text("image"),
              disk.textItems("monitors"),
              readOnly);
      // A disk of this type is for one pod, even if it is read-only.
      default -> new Disk(source, disk.text("volumeID"), List.of(), false);
    };
  }

  /** Whether pods with these disks cannot run on the same node. */
  public boolean conflictsWith(Disk other) {
    return source.equals(other.source)
        && name.equals(other.name)
        && (!source.equals(CEPH) || !Collections.disjoint(monitors, other.monitors))
        && !(readOnly && other.readOnly);
  }
}
