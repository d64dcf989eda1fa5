package dev.sluice.engine.scheduling;

import static dev.sluice.engine.scheduling.Profiles.adding;
import static dev.sluice.engine.scheduling.Profiles.fitting;
import static dev.sluice.engine.scheduling.Profiles.interPodAffinity;
import static dev.sluice.engine.scheduling.Profiles.spreading;
import static dev.sluice.engine.scheduling.Profiles.weighing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.ResourceScoring;
import dev.sluice.engine.scheduling.framework.ResourceScoring.Strategy;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a profile changes about which node a pod likes best. */
class ProfileScoresTest {
  private static final String NODE = "cpu: 4, memory: 8Gi";

  @Test
  void aWeightDecidesWhichScoreWins() {
    String wish =
        "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
            + " preference: {matchExpressions: [{key: disk, operator: Exists}]}}]}}";
    for (int weight : List.of(2, 100)) {
      var scene =
          new SchedulingScene(weighing(Plugin.NODE_RESOURCES_FIT, weight))
              .node("full", NODE, "disk: ssd", "")
              .node("empty", NODE);
      scene.on("full", scene.pod("old", "cpu: 3, memory: 6Gi"));

      // the wish is worth 200, and the room of the other node 75 times the weight
      assertThat(scene.place(scene.pod("p", "cpu: 1, memory: 2Gi", wish)))
          .isEqualTo(weight == 2 ? "full" : "empty");
    }
  }

  @Test
  void mostAllocatedFillsOneNodeAfterTheOther() {
    var most =
        new ResourceScoring(Strategy.MOST_ALLOCATED, ResourceScoring.USUAL_RESOURCES, List.of());
    var scene =
        new SchedulingScene(fitting(new FitRules(most, new TreeSet<>(), new TreeSet<>())))
            .node("a", NODE)
            .node("b", NODE);
    scene.on("b", scene.pod("old", "cpu: 1, memory: 2Gi"));

    assertThat(scene.place(scene.pod("p1", "cpu: 1, memory: 2Gi"))).isEqualTo("b");
    assertThat(scene.place(scene.pod("p2", "cpu: 1, memory: 2Gi"))).isEqualTo("b");
  }

  @Test
  void preferredAffinityOfTheProfileHoldsForAllPods() {
    var preferred =
        adding(
            "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference:"
                + " {matchExpressions: [{key: pool, operator: Exists}]}}]");
    var scene = new SchedulingScene(preferred).node("a", NODE).node("b", NODE, "pool: batch", "");
    assertThat(scene.place(scene.pod("p", "cpu: 1"))).isEqualTo("b");
  }

  @Test
  void wishesOfTheListLeaveOutNodesWithoutTheLabel() {
    String rule = "maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway";
    var scene =
        new SchedulingScene(spreading(rule)).node("bare", NODE).node("a", NODE, "zone: a", "");
    scene.service("s", "app: p");

    Map<String, Long> scores = scene.scheduler.scores(scene.pod("p", "cpu: 1"));
    assertThat(difference(scores, "a", "bare")).isEqualTo(200);
  }

  @Test
  void whatOthersRequireCountsAsMuchAsTheProfileSays() {
    String near =
        "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
            + " kubernetes.io/hostname, labelSelector: {matchLabels: {app: p}}}],"
            + " preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, podAffinityTerm:"
            + " {topologyKey: zone, labelSelector: {matchLabels: {app: p}}}}]}}";
    for (int weight : List.of(0, 3, 100)) {
      var scene =
          new SchedulingScene(interPodAffinity(weight, false))
              .node("alone", NODE, "zone: b", "")
              .node("same-zone", NODE, "zone: a", "")
              .node("same-node", NODE, "zone: a", "");
      scene.on("same-node", scene.pod("old", "", near));

      var scores = scene.scheduler.scores(scene.pod("p", ""));
      // 3 for the zone, and the weight for the node itself: 100 * 3 / (3 + weight), doubled
      long zone = 100L * 3 / (3 + weight);
      assertThat(difference(scores, "same-zone", "alone")).isEqualTo(2 * zone);
    }
  }

  @Test
  void podsWithoutWishesMayIgnoreThoseOfOthers() {
    String near =
        "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 9,"
            + " podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {app: p}}}}]}}";
    for (boolean ignores : List.of(false, true)) {
      var scene =
          new SchedulingScene(interPodAffinity(1, ignores))
              .node("a", NODE, "zone: a", "")
              .node("b", NODE, "zone: b", "");
      scene.on("b", scene.pod("old", "", near));

      assertThat(scene.place(scene.pod("p", ""))).isEqualTo(ignores ? "a" : "b");
    }
  }

  private static long difference(Map<String, Long> scores, String one, String other) {
    return scores.getOrDefault(one, 0L) - scores.getOrDefault(other, 0L);
  }
}
