package dev.sluice.engine.scheduling.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.SchedulingScene;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.ResourceIndex;
import dev.sluice.engine.scheduling.framework.FilterResult;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class NodeFiltersTest {

  /** A pod and a node with one pod of 1 cpu and host port 80 on it. */
  record Case(String name, String nodeSpec, String requests, String podSpec, FilterResult want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String AFFINITY =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
          + " {nodeSelectorTerms: [{%s}]}}}";

  static final List<Case> CASES =
      List.of(
          new Case("room for it", "", "cpu: 3", "", FilterResult.FITS),
          new Case("no request at all", "", "", "", FilterResult.FITS),
          new Case(
              "one thousandth too much",
              "",
              "cpu: 3001m",
              "",
              FilterResult.rejected(Plugin.NODE_RESOURCES_FIT, "Insufficient cpu")),
          new Case(
              "more than the node ever has",
              "",
              "cpu: 4001m",
              "",
              FilterResult.unresolvable(Plugin.NODE_RESOURCES_FIT, "Insufficient cpu")),
          new Case(
              "a resource that the node does not have",
              "",
              "nvidia.com/gpu: 1",
              "",
              FilterResult.unresolvable(Plugin.NODE_RESOURCES_FIT, "Insufficient nvidia.com/gpu")),
          new Case(
              "all that is missing is said",
              "",
              "cpu: 4, memory: 9Gi",
              "",
              FilterResult.unresolvable(
                  Plugin.NODE_RESOURCES_FIT, "Insufficient cpu", "Insufficient memory")),
          new Case(
              "cordoned",
              "unschedulable: true",
              "",
              "",
              FilterResult.unresolvable(Plugin.NODE_UNSCHEDULABLE, "node(s) were unschedulable")),
          new Case(
              "cordoned but tolerated",
              "unschedulable: true",
              "",
              "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]",
              FilterResult.FITS),
          new Case(
              "tainted",
              "taints: [{key: k, value: v, effect: NoExecute}]",
              "",
              "tolerations: [{key: k, value: other}]",
              FilterResult.unresolvable(
                  Plugin.TAINT_TOLERATION, "node(s) had untolerated taint(s)")),
          new Case(
              "tainted as a wish",
              "taints: [{key: k, value: v, effect: PreferNoSchedule}]",
              "",
              "",
              FilterResult.FITS),
          new Case(
              "wrong label",
              "",
              "",
              "nodeSelector: {zone: other}",
              FilterResult.unresolvable(
                  Plugin.NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector")),
          new Case(
              "selected by name",
              "",
              "",
              AFFINITY.formatted("matchFields: [{key: metadata.name, operator: In, values: [n]}]"),
              FilterResult.FITS),
          new Case(
              "another is selected by name",
              "unschedulable: true",
              "",
              AFFINITY.formatted("matchFields: [{key: metadata.name, operator: In, values: [m]}]"),
              FilterResult.unresolvable(
                  Plugin.NODE_AFFINITY, "node(s) didn't satisfy plugin(s) [NodeAffinity]")),
          new Case(
              "selected by name, but not by label",
              "",
              "",
              AFFINITY.formatted(
                  "matchFields: [{key: metadata.name, operator: In, values: [n]}],"
                      + " matchExpressions: [{key: zone, operator: In, values: [other]}]"),
              FilterResult.unresolvable(
                  Plugin.NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector")),
          new Case(
              "label too low",
              "",
              "",
              AFFINITY.formatted("matchExpressions: [{key: rank, operator: Gt, values: ['5']}]"),
              FilterResult.unresolvable(
                  Plugin.NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector")),
          new Case(
              "port taken",
              "",
              "",
              "initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 80, hostIP:"
                  + " 10.0.0.1}]}]",
              FilterResult.rejected(
                  Plugin.NODE_PORTS, "node(s) didn't have free ports for the requested pod ports")),
          new Case(
              "port of a container that ends before the others start",
              "",
              "",
              "initContainers: [{name: i, ports: [{hostPort: 80}]}]",
              FilterResult.FITS),
          new Case(
              "same port of another protocol",
              "",
              "",
              "initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 80, protocol:"
                  + " UDP}]}]",
              FilterResult.FITS),
          new Case(
              "the taint is said before the label",
              "taints: [{key: k, effect: NoSchedule}]",
              "cpu: 9",
              "nodeSelector: {zone: other}",
              FilterResult.unresolvable(
                  Plugin.TAINT_TOLERATION, "node(s) had untolerated taint(s)")));

  @ParameterizedTest
  @FieldSource("CASES")
  void judges(Case c) {
    var scene =
        new SchedulingScene().node("n", "cpu: 4, memory: 8Gi", "zone: z, rank: '5'", c.nodeSpec());
    scene.on(
        "n",
        scene.pod(
            "old",
            "cpu: 1",
            "initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 80}]}]"));

    PodFacts pod = scene.pod("new", c.requests(), c.podSpec());
    var filters = new NodeFilters(scene.state.resources(), Profile.DEFAULT);
    FilterResult verdict = filters.filter(pod.signature(), scene.state("n"));

    assertThat(verdict).isEqualTo(c.want());
  }

  @Test
  void aNodeTakesNoMorePodsThanItSays() {
    var scene =
        new SchedulingScene()
            .node(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: n}
                status: {allocatable: {cpu: 4, pods: 1}}
                """);
    scene.on("n", scene.pod("old", ""));

    assertThat(scene.place(scene.pod("new", "cpu: 5")))
        .startsWith("0/1 nodes are available: 1 Insufficient cpu, 1 Too many pods.");
  }

  @Test
  void reasonsAreSortedAsWordsWithTheirCounts() {
    var scene = new SchedulingScene();
    for (int i = 0; i < 10; i++) {
      scene.node("cordoned" + i, "cpu: 4, memory: 8Gi", "", "unschedulable: true");
    }
    scene.node("small1", "cpu: 1, memory: 8Gi").node("small2", "cpu: 1, memory: 1Gi");

    assertThat(scene.place(scene.pod("p", "cpu: 2, memory: 2Gi")))
        .startsWith(
            "0/12 nodes are available: 1 Insufficient memory, 10 node(s) were unschedulable, 2"
                + " Insufficient cpu. no new claims to deallocate, preemption: 0/12 nodes are"
                + " available: 12 Preemption is not helpful for scheduling.");
  }

  @Test
  void aSumThatCannotBeCountedIsFreedAgain() {
    var scene = new SchedulingScene().node("n", "cpu: 4, memory: 8Gi");
    PodFacts greedy = scene.pod("greedy", "memory: 9E");
    scene.on("n", greedy).on("n", scene.pod("greedy2", "memory: 9E"));
    scene.on("n", scene.pod("small", "memory: 4Gi"));
    scene.state.take(greedy.key());
    scene.state.take(scene.pod("greedy2", "").key());

    assertThat(scene.state("n").free(ResourceIndex.MEMORY)).isEqualTo(4L << 30);
  }
}
