package dev.sluice.engine.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PlacementTest {

  record FitCase(String name, String podSpec, String node, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String PLAIN = "";

  static final List<FitCase> FITS =
      List.of(
          new FitCase("fits", "", PLAIN, List.of()),
          new FitCase(
              "exactly all that is free", requests("cpu: '3', memory: 7Gi"), PLAIN, List.of()),
          new FitCase(
              "a bit more than is free",
              requests("cpu: 3001m"),
              PLAIN,
              List.of("Insufficient cpu")),
          new FitCase(
              "everything that is missing is told",
              requests("cpu: '9', memory: 9Gi, nvidia.com/gpu: 1"),
              PLAIN,
              List.of("Insufficient cpu", "Insufficient memory", "Insufficient nvidia.com/gpu")),
          new FitCase(
              "zero of what the node has not", requests("nvidia.com/gpu: 0"), PLAIN, List.of()),
          new FitCase("a selector that matches", "nodeSelector: {zone: a}", PLAIN, List.of()),
          new FitCase(
              "a selector that does not",
              "nodeSelector: {zone: b}",
              PLAIN,
              List.of("node(s) didn't match Pod's node affinity/selector")),
          new FitCase("cordoned", "", "unschedulable: true", List.of("node(s) were unschedulable")),
          new FitCase(
              "cordoned but tolerated",
              "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]",
              "unschedulable: true",
              List.of()),
          new FitCase(
              "tainted",
              "",
              "taints: [{key: k, value: v, effect: NoExecute}]",
              List.of("node(s) had untolerated taint {k: v}")),
          new FitCase(
              "tainted and tolerated",
              "tolerations: [{key: k, value: v}]",
              "taints: [{key: k, value: v, effect: NoSchedule}]",
              List.of()),
          new FitCase(
              "only a preference",
              "",
              "taints: [{key: k, value: v, effect: PreferNoSchedule}]",
              List.of()));

  @ParameterizedTest
  @FieldSource("FITS")
  void fits(FitCase c) {
    NodeRoom node = node("n", c.node(), 1000, 1L << 30);

    assertThat(Fit.obstacles(needs(c.podSpec()), node)).isEqualTo(c.want());
  }

  @Test
  void aNodeTakesNoMorePodsThanItSays() {
    NodeRoom full = node("n", PLAIN, 0, 0).with(new NodeLoad(10, Amounts.NONE, Amounts.NONE));

    assertThat(Fit.obstacles(needs(""), full)).containsExactly("Too many pods");
  }

  @Test
  void aNodeThatIsNotReadyTakesNothing() {
    Node node = new Node(yaml("{apiVersion: v1, kind: Node, metadata: {name: n}}"));

    assertThat(Fit.obstacles(needs(""), NodeRoom.of(node, NodeLoad.NONE)))
        .containsExactly("node(s) were not ready");
  }

  @Test
  void theLeastUsedNodeWinsAndTheFirstOfEquals() {
    PodNeeds pod = needs(requests("cpu: '1', memory: 1Gi"));

    assertThat(
            Placement.of(
                pod,
                List.of(
                    node("a", PLAIN, 2000, 2L << 30),
                    node("b", PLAIN, 1000, 1L << 30),
                    node("c", PLAIN, 1000, 1L << 30))))
        .isEqualTo(new Placement.On("b"));
  }

  record ScoreCase(long cpuUsed, long memoryUsed, long cpu, long memory, long want) {}

  static final List<ScoreCase> SCORES =
      List.of(
          new ScoreCase(0, 0, 1000, 1L << 30, (75 + 87) / 2),
          new ScoreCase(1000, 2L << 30, 1000, 2L << 30, 50),
          new ScoreCase(3000, 7L << 30, 1000, 1L << 30, 0),
          new ScoreCase(3500, 0, 1000, 0, 100 / 2),
          new ScoreCase(1, 0, 1, 0, (99 + 100) / 2));

  @ParameterizedTest
  @FieldSource("SCORES")
  void scores(ScoreCase c) {
    Amounts pod = Amounts.of("cpu", c.cpu()).plus(Amounts.of("memory", c.memory()));
    Amounts used = Amounts.of("cpu", c.cpuUsed()).plus(Amounts.of("memory", c.memoryUsed()));
    NodeRoom node = node("n", PLAIN, 0, 0).with(new NodeLoad(1, used, used));

    assertThat(Placement.score(pod, node)).isEqualTo(c.want());
  }

  @Test
  void scoresOfHugeNodesDoNotOverflow() {
    Node node =
        new Node(
            yaml(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: n}
                status: {allocatable: {cpu: 8E, memory: 7E}}
                """));

    assertThat(Placement.score(Amounts.of("memory", 1), NodeRoom.of(node, NodeLoad.NONE)))
        .isEqualTo((100 + 99) / 2);
  }

  @Test
  void theMessageCountsTheReasonsInOrder() {
    PodNeeds pod = needs(requests("cpu: '4'"));
    List<NodeRoom> nodes =
        List.of(
            node("a", PLAIN, 1000, 0),
            node("b", PLAIN, 2000, 0),
            node("c", "taints: [{key: k, value: v, effect: NoSchedule}]", 0, 0));

    assertThat(Placement.of(pod, nodes))
        .isEqualTo(
            new Placement.Nowhere(
                "0/3 nodes are available: 1 node(s) had untolerated taint {k: v},"
                    + " 2 Insufficient cpu."));
    assertThat(Placement.of(pod, List.of()))
        .isEqualTo(new Placement.Nowhere("no nodes available to schedule pods"));
  }

  private static String requests(String quantities) {
    return "containers: [{name: a, resources: {requests: {%s}}}]".formatted(quantities);
  }

  private static PodNeeds needs(String spec) {
    var object = yaml("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n" + spec.indent(2));
    return PodNeeds.of(new Pod(object).spec());
  }

  /** A ready node of 4 cpus, 8 GiB and 10 pods, of which something is used. */
  private static NodeRoom node(String name, String spec, long cpuUsed, long memoryUsed) {
    var object =
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {zone: a}}
            status:
              allocatable: {cpu: "4", memory: 8Gi, pods: 10}
              conditions: [{type: Ready, status: "True"}]
            spec:
            """
                    .formatted(name)
                + spec.indent(2));
    Amounts used = Amounts.of("cpu", cpuUsed).plus(Amounts.of("memory", memoryUsed));
    return NodeRoom.of(new Node(object), new NodeLoad(1, used, used));
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }
}
