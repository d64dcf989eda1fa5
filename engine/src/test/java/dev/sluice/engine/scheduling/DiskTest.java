package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Disks that pods name themselves: which of them two pods of a node may have. */
class DiskTest {

  record Case(String name, String there, String wanted, boolean fits) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String google(String more) {
    return "gcePersistentDisk: {pdName: d%s}".formatted(more);
  }

  private static String ceph(String monitors, String more) {
    return "rbd: {monitors: [%s], pool: p, image: i%s}".formatted(monitors, more);
  }

  static final List<Case> CASES =
      List.of(
          new Case("one writes", google(""), google(", readOnly: true"), false),
          new Case("both read", google(", readOnly: true"), google(", readOnly: true"), true),
          new Case("another disk", google(""), "gcePersistentDisk: {pdName: e}", true),
          new Case(
              "for one pod even to read",
              "awsElasticBlockStore: {volumeID: v, readOnly: true}",
              "awsElasticBlockStore: {volumeID: v, readOnly: true}",
              false),
          new Case(
              "another volume",
              "awsElasticBlockStore: {volumeID: v}",
              "awsElasticBlockStore: {volumeID: w}",
              true),
          new Case(
              "one name, whatever the portal",
              "iscsi: {targetPortal: a, iqn: q, lun: 0}",
              "iscsi: {targetPortal: b, iqn: q, lun: 1}",
              false),
          new Case("a common monitor", ceph("a, b", ""), ceph("b, c", ""), false),
          new Case("other monitors", ceph("a, b", ""), ceph("c", ""), true),
          new Case(
              "both read an image",
              ceph("a", ", readOnly: true"),
              ceph("a", ", readOnly: true"),
              true),
          new Case("another image", ceph("a", ""), ceph("a", "2"), true),
          new Case("another kind", google(""), "awsElasticBlockStore: {volumeID: d}", true));

  private static String volume(String source) {
    return "volumes: [{name: v, %s}]".formatted(source);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void share(Case c) {
    var scene = new SchedulingScene().node("n", "cpu: 4, memory: 8Gi");
    scene.on("n", scene.pod("old", "cpu: 1", volume(c.there())));

    String want = c.fits() ? "n" : "0/1 nodes are available: 1 node(s) had no available disk.";
    assertThat(scene.place(scene.pod("new", "cpu: 1", volume(c.wanted())))).startsWith(want);
  }

  @Test
  void theDiskOfALessImportantPodIsTaken() {
    var scene = new SchedulingScene().node("n", "cpu: 4, memory: 8Gi");
    scene.on("n", scene.pod("old", "cpu: 1", volume(google(""))));

    PodFacts high = scene.pod("high", "cpu: 1", "priority: 5, " + volume(google("")));
    assertThat(scene.place(high)).isEqualTo("after [old] on n");
  }
}
