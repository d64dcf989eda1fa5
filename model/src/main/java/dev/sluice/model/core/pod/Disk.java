package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * A disk that a pod names itself, without a claim, of a kind that pods of one node cannot share as
 * they like.
 *
 * @param source the field in which it stands, such as {@code gcePersistentDisk}
 * @param monitors the servers that know it, if it is known by them
 * @param readOnly whether others may read it at the same time
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
      // One such disk is for one pod, whatever that does with it.
      default -> new Disk(source, disk.text("volumeID"), List.of(), false);
    };
  }

  /** Whether pods with the two cannot be on one node. */
  public boolean conflictsWith(Disk other) {
    return source.equals(other.source)
        && name.equals(other.name)
        && (!source.equals(CEPH) || !Collections.disjoint(monitors, other.monitors))
        && !(readOnly && other.readOnly);
  }
}
