package dev.sluice.engine.scheduling.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.sluice.engine.scheduling.Scheduler;
import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.ResourceScoring;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class NodeLocalScoresTest {

  /** A node, what is on it, a pod, and the scores of both resource plugins. */
  record Case(
      String name, String node, String used, String pod, long leastAllocated, long balanced) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          // (4000-1000)*100/4000 = 75 and (8-2)*100/8 = 75; used alike before and after
          new Case("a quarter of both", "cpu: 4, memory: 8Gi", "", "cpu: 1, memory: 2Gi", 75, 75),
          // nothing asked: 100m of 4 cpus leave 97, 200 MiB of 8 GiB leave 97
          new Case("asks for nothing", "cpu: 4, memory: 8Gi", "", "", 97, 0),
          // cpu 50 left, memory (8192-200)*100/8192 = 97; |0.5-0| / 2 = 0.25: 50+(50+75-100)/2
          new Case("only cpu", "cpu: 4, memory: 8Gi", "", "cpu: 2", 73, 62),
          // before |0.5-0|/2: 75; after |0.5-0.5|: 100; 50+(50+100-75)/2
          new Case("evens out", "cpu: 4, memory: 8Gi", "cpu: 2", "memory: 4Gi", 47, 87),
          new Case("a node without memory", "cpu: 4", "", "cpu: 1", 75, 75),
          new Case("full", "cpu: 1, memory: 1Gi", "", "cpu: 1, memory: 1Gi", 0, 75));

  @ParameterizedTest
  @FieldSource("CASES")
  void resources(Case c) {
    var scene = new SchedulingScene().node("n", c.node());
    if (!c.used().isEmpty()) {
      scene.on("n", scene.pod("old", c.used()));
    }
    PodSignature pod = scene.pod("new", c.pod()).signature();

    assertThat(leastAllocated(scene, pod)).isEqualTo(c.leastAllocated());
    assertThat(balanced(scene, pod)).isEqualTo(c.balanced());
  }

  @Test
  void whatAPodAsksForAsAWholeCountsOnlyForTheBalance() {
    var scene = new SchedulingScene().node("n", "cpu: 4, memory: 8Gi");
    PodSignature pod = scene.pod("p", "", "resources: {requests: {cpu: 2}}").signature();

    assertThat(leastAllocated(scene, pod)).isEqualTo(97);
    assertThat(balanced(scene, pod)).isEqualTo(62);
  }

  private static long leastAllocated(SchedulingScene scene, PodSignature pod) {
    return new FitScore(ResourceScoring.DEFAULT, scene.state.resources()).of(pod, scene.state("n"));
  }

  private static long balanced(SchedulingScene scene, PodSignature pod) {
    return new BalanceScore(Profile.DEFAULT.balanced(), scene.state.resources())
        .of(pod, scene.state("n"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.0",
    "2, 0.6931471805599453",
    "3, 1.0986122886681098",
    "12, 2.4849066497880004",
    "5002, 8.517593111159626",
    "1000000, 13.815510557964274"
  })
  void logarithms(long number, double want) {
    assertThat(Logarithm.of(number) / (double) (1L << Logarithm.BITS))
        .isCloseTo(want, offset(1e-8));
  }

  @ParameterizedTest
  @CsvSource({
    "99, 0, 99",
    "100, 0, 100",
    "500, 0, 230",
    "1000, 0, 420",
    "2000, 0, 680",
    "5000, 0, 500",
    "10000, 0, 500",
    "99, 1, 99",
    "5000, 1, 100",
    "5000, 30, 1500",
    "5000, 100, 5000"
  })
  void soManyNodesAreEnough(int nodes, int percent, int want) {
    assertThat(Scheduler.enough(nodes, percent)).isEqualTo(want);
  }

  @Test
  void theSearchGoesOnWhereTheOneBeforeEnded() {
    var scene = new SchedulingScene();
    for (int i = 0; i < 200; i++) {
      scene.node("n" + i, "cpu: 4, memory: 8Gi");
    }

    // of 200 nodes, 100 are enough
    assertThat(scene.place(scene.pod("a", "cpu: 1"))).isEqualTo("n0");
    assertThat(scene.place(scene.pod("b", "cpu: 1"))).isEqualTo("n100");
    assertThat(scene.place(scene.pod("c", "cpu: 1"))).isEqualTo("n1");
  }

  @Test
  void wishesAndTaintsAreWeighed() {
    var scene =
        new SchedulingScene()
            .node("plain", "cpu: 4, memory: 8Gi")
            .node("liked", "cpu: 4, memory: 8Gi", "disk: ssd", "")
            .node(
                "shunned",
                "cpu: 4, memory: 8Gi",
                "disk: ssd",
                "taints: [{key: k, effect: PreferNoSchedule}]");
    String wish =
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
            + " preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}}]}}";

    assertThat(scene.place(scene.pod("a", "cpu: 1", wish))).isEqualTo("liked");
    assertThat(scene.place(scene.pod("b", "cpu: 1"))).isEqualTo("plain");
  }

  @Test
  void largeImagesThatAreThereDrawPods() {
    var scene = new SchedulingScene().node("a", "cpu: 4, memory: 8Gi");
    scene.node(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: b}
        status:
          allocatable: {pods: 110, cpu: 4, memory: 8Gi}
          images: [{names: [model:1, "model@sha256:1"], sizeBytes: 1048576000}]
        """);
    PodFacts plain = scene.pod("plain", "cpu: 1");
    PodFacts large = scene.pod("large", "cpu: 1", "initContainers: [{name: i, image: 'model:1'}]");

    // one of two nodes has 1000 MiB: 500 MiB count, of at most 1000 MiB a container
    assertThat(NodeLocalScores.images(large.signature(), scene.state("b"), scene.state))
        .isEqualTo(100 * (500 - 23) / (2000 - 23));
    assertThat(scene.place(plain)).isEqualTo("a");
    scene.state.take(plain.key());
    assertThat(scene.place(large)).isEqualTo("b");
  }
}
