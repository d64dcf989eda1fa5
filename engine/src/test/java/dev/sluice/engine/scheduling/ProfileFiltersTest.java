package dev.sluice.engine.scheduling;

import static dev.sluice.engine.scheduling.Profiles.adding;
import static dev.sluice.engine.scheduling.Profiles.fitting;
import static dev.sluice.engine.scheduling.Profiles.peaceful;
import static dev.sluice.engine.scheduling.Profiles.spreading;
import static dev.sluice.engine.scheduling.Profiles.without;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.framework.Profile.FitRules;
import dev.sluice.engine.scheduling.framework.Profile.PreemptionRules;
import dev.sluice.engine.scheduling.framework.ResourceScoring;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a profile changes about which nodes may take a pod. */
class ProfileFiltersTest {
  private static final String NODE = "cpu: 4, memory: 8Gi";

  /** A node that a filter refuses, unless the profile does without the filter. */
  record Refusal(Plugin filter, String nodeSpec, String podSpec) {
    @Override
    public String toString() {
      return filter.word();
    }
  }

  private static final String PORT =
      "initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 80}]}]";
  private static final String DISK = "volumes: [{name: v, gcePersistentDisk: {pdName: d}}]";

  static final List<Refusal> REFUSALS =
      List.of(
          new Refusal(Plugin.NODE_UNSCHEDULABLE, "unschedulable: true", ""),
          new Refusal(Plugin.TAINT_TOLERATION, "taints: [{key: k, effect: NoSchedule}]", ""),
          new Refusal(Plugin.NODE_AFFINITY, "", "nodeSelector: {zone: elsewhere}"),
          new Refusal(Plugin.NODE_PORTS, "", PORT),
          new Refusal(Plugin.NODE_RESOURCES_FIT, "", "overhead: {cpu: 9}"),
          new Refusal(Plugin.VOLUME_RESTRICTIONS, "", DISK),
          new Refusal(
              Plugin.POD_TOPOLOGY_SPREAD,
              "",
              "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable:"
                  + " DoNotSchedule, labelSelector: {matchLabels: {app: p}}}]"),
          new Refusal(
              Plugin.INTER_POD_AFFINITY,
              "",
              "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app:"
                  + " old}}}]}}"));

  @ParameterizedTest
  @FieldSource("REFUSALS")
  void aFilterThatIsSwitchedOffRefusesNothing(Refusal refusal) {
    for (Profile profile : List.of(Profile.DEFAULT, without(refusal.filter()))) {
      var scene = new SchedulingScene(profile).node("n", NODE, "zone: a", refusal.nodeSpec());
      scene.on("n", scene.pod("old", "cpu: 1", PORT + ", " + DISK));

      String want = profile.filters().contains(refusal.filter()) ? "0/1 nodes" : "n";
      assertThat(scene.place(scene.pod("p", "cpu: 1", refusal.podSpec()))).startsWith(want);
    }
  }

  @Test
  void ignoredResourcesNeedNotBeThere() {
    var rules =
        new FitRules(
            ResourceScoring.DEFAULT,
            new TreeSet<>(List.of("x.io/gpu", "hugepages-2Mi")),
            new TreeSet<>(List.of("y.io")));
    var scene = new SchedulingScene(fitting(rules)).node("n", NODE);

    assertThat(scene.place(scene.pod("a", "cpu: 1, x.io/gpu: 1, y.io/fpga: 1"))).isEqualTo("n");
    assertThat(scene.place(scene.pod("b", "cpu: 1, x.io/tpu: 1")))
        .startsWith("0/1 nodes are available: 1 Insufficient x.io/tpu.");
    assertThat(scene.place(scene.pod("c", "cpu: 1, hugepages-2Mi: 2Mi")))
        .as("only extended resources can be ignored")
        .startsWith("0/1 nodes are available: 1 Insufficient hugepages-2Mi.");
  }

  @Test
  void requiredAffinityOfTheProfileHoldsForAllPods() {
    var required =
        adding(
            "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                + " [{matchExpressions: [{key: pool, operator: In, values: [batch]}]}]}");
    var scene =
        new SchedulingScene(required).node("a", NODE).node("b", "cpu: 1", "pool: batch", "");

    assertThat(scene.place(scene.pod("p", "cpu: 1"))).isEqualTo("b");
    assertThat(scene.place(scene.pod("q", "cpu: 1")))
        .startsWith(
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match"
                + " scheduler-enforced node affinity.");
  }

  @Test
  void podsOfAServiceAreSpreadAsTheListSays() {
    var scene =
        new SchedulingScene(
                spreading("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule"))
            .node("a", NODE, "zone: a", "")
            .node("b", "cpu: 1", "zone: b", "");
    scene.service("s", "app: p");

    assertThat(scene.place(scene.pod("p1", "cpu: 1"))).isEqualTo("a");
    assertThat(scene.place(scene.pod("p2", "cpu: 1"))).isEqualTo("b");
    assertThat(scene.place(scene.pod("p3", "cpu: 1"))).isEqualTo("a");
    assertThat(scene.place(scene.pod("p4", "cpu: 1")))
        .startsWith(
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod topology"
                + " spread constraints.");
    assertThat(scene.place(scene.pod("other", "cpu: 1"))).as("nobody's pod").isEqualTo("a");
  }

  @Test
  void whereNobodyHasToLeaveThePodIsToldOnlyWhyItDoesNotFit() {
    var scene = new SchedulingScene(peaceful()).node("n", NODE);
    scene.on("n", scene.pod("low", "cpu: 4"));

    assertThat(scene.place(scene.pod("high", "cpu: 4", "priority: 9")))
        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate");
  }

  @Test
  void soManyNodesAreEnoughForVictims() {
    assertThat(new PreemptionRules(true, 50, 10).enough(1000)).isEqualTo(500);
    assertThat(new PreemptionRules(true, 0, 10).enough(1000)).isEqualTo(10);
    assertThat(new PreemptionRules(true, 100, 0).enough(7)).isEqualTo(7);
    assertThat(new PreemptionRules(true, 100, Integer.MAX_VALUE).enough(Integer.MAX_VALUE))
        .isEqualTo(Integer.MAX_VALUE);
  }
}
