package dev.sluice.engine.scheduling.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.plugins.SelectedPods;
import dev.sluice.engine.scheduling.plugins.TopologySpreadScore;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How pods are spread as a wish: their own, or that of those to whom they belong. */
class SpreadDefaultsTest {
  private static final String BIG = "cpu: 10, memory: 20Gi";
  private static final String ZONE = "topology.kubernetes.io/zone: ";
  private final SchedulingScene scene = new SchedulingScene();

  @BeforeEach
  void twoZonesAndANodeOfNone() {
    scene
        .node("a1", BIG, ZONE + "a", "")
        .node("a2", BIG, ZONE + "a", "")
        .node("b1", BIG, ZONE + "b", "")
        .node("bare", BIG);
    scene.on("a1", scene.pod("p1", "")).on("a1", scene.pod("p2", "")).on("b1", scene.pod("p3", ""));
  }

  /** What the wish adds to the scores of the four nodes. */
  private List<Long> scores(PodFacts pod) {
    int[] order = scene.state.order();
    long[] totals = new long[order.length];
    new TopologySpreadScore(new SelectedPods(scene.state), Profile.DEFAULT)
        .add(pod, scene.state, order, 4, totals);
    return List.of("a1", "a2", "b1", "bare").stream()
        .map(name -> totals[indexOf(order, scene.state(name).slot())])
        .toList();
  }

  private static int indexOf(int[] order, int slot) {
    int at = 0;
    while (order[at] != slot) {
      at++;
    }
    return at;
  }

  private PodFacts owned(String apiVersion, String kind) {
    return scene.state.read(
        new Pod(
            ApiObject.of(
                Yaml.parseAll(
                        """
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: p9
                          namespace: default
                          labels: {app: p}
                          ownerReferences:
                          - {apiVersion: %s, kind: %s, name: s, uid: u, controller: true}
                        spec: {containers: [{name: c}]}
                        """
                            .formatted(apiVersion, kind))
                    .getFirst())));
  }

  @Test
  void podsOfAServiceAreSpreadOverNodesAndZones() {
    scene.service("s", "app: p");

    // Four nodes weigh ln 6, the zones a, b and none ln 5. a1: 2 ln 6 + 2 + 2 ln 5 + 4 = 12.8,
    // a2: 0 + 2 + 2 ln 5 + 4 = 9.2, b1: ln 6 + 2 + ln 5 + 4 = 9.4, bare: 0 + 2.
    // Rounded 13, 9, 9, 2: the scores are 100 * (13 + 2 - raw) / 13, twice.
    assertThat(scores(scene.pod("p4", ""))).containsExactly(30L, 92L, 92L, 200L);
    assertThat(scene.place(scene.pod("p4", ""))).isEqualTo("bare");
  }

  @Test
  void podsThatNoServiceSelectsHaveNoWish() {
    scene.service("s", "app: other");
    scene.service("everybody", "");

    assertThat(scores(scene.pod("p4", ""))).containsOnly(0L);
  }

  @Test
  void aServiceThatIsGoneSpreadsNobody() {
    scene.service("s", "app: p");
    scene.state.spreadDefaults().remove(Kinds.SERVICE.key("default", "s"));

    assertThat(scores(scene.pod("p4", ""))).containsOnly(0L);
  }

  @Test
  void podsAreSpreadForThoseWhoOwnThemButNotForJobs() {
    String set =
        "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: s, namespace: default},"
            + " spec: {selector: {matchLabels: {app: p}}}}";
    scene.spreads(Kinds.REPLICA_SET, set);
    scene.spreads(
        Kinds.REPLICATION_CONTROLLER,
        "{apiVersion: v1, kind: ReplicationController, metadata: {name: s, namespace: default},"
            + " spec: {selector: {app: p}}}");

    assertThat(scores(owned("apps/v1", "ReplicaSet"))).containsExactly(30L, 92L, 92L, 200L);
    assertThat(scores(owned("v1", "ReplicationController"))).containsExactly(30L, 92L, 92L, 200L);
    assertThat(scores(owned("apps/v1", "StatefulSet"))).containsOnly(0L);
    assertThat(scores(owned("batch/v1", "Job"))).containsOnly(0L);
  }

  @Test
  void onlyPodsThatAllOfThemMeanCount() {
    scene.service("s", "app: p");
    scene.service("t", "tier: x");
    scene.on("a2", scene.pod("p4", "app: p, tier: x", "", ""));

    // Only p4 counts. a1: 2 + ln 5 + 4 = 7.6, a2: ln 6 + 2 + ln 5 + 4 = 9.4, b1: 6, bare: 2.
    assertThat(scores(scene.pod("p5", "app: p, tier: x", "", "")))
        .containsExactly(2 * 33L, 2 * 22L, 2 * 55L, 200L);
  }

  @Test
  void podWithOwnConstraintsGetsNoDefaults() {
    scene.service("s", "app: p");
    String wish =
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone,"
            + " whenUnsatisfiable: %s, labelSelector: {matchLabels: {app: p}}}]";

    // Two zones weigh ln 4: a has 2 pods, 2.8; b has one, 1.4; a node without a zone is left out.
    assertThat(scores(scene.pod("p4", "", wish.formatted("ScheduleAnyway"))))
        .containsExactly(2 * 33L, 2 * 33L, 200L, 0L);
    assertThat(scores(scene.pod("p4", "", wish.formatted("DoNotSchedule")))).containsOnly(0L);
  }

  @Test
  void whereNobodyIsYetAllNodesAreLikedAlike() {
    String wish =
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone,"
            + " whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: q}}}]";

    assertThat(scores(scene.pod("q1", "", wish))).containsExactly(200L, 200L, 200L, 0L);
  }

  @Test
  void podsThatEndDoNotCountAndWhatChangesIsCountedAnew() {
    scene.service("s", "app: p");
    assertThat(scores(scene.pod("p4", ""))).containsExactly(30L, 92L, 92L, 200L);

    scene.on("a1", scene.pod("p1", "").leaving()).on("a1", scene.pod("p2", "").leaving());
    scene.state.take(scene.pod("p3", "").key());

    // a1, a2 and b1: 2 + 4 = 6; bare: 2
    assertThat(scores(scene.pod("p4", ""))).containsExactly(66L, 66L, 66L, 200L);
  }
}
