package dev.sluice.controllers.nodes.usage;

import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Timeout(30)
class SimulatedUsageTest {
  private static final String RESOURCES = "/metrics/nodes/n/metrics/resource";

  private final FakeCluster cluster = new FakeCluster(1);
  private final SimulatedUsage usage = new SimulatedUsage(cluster, SimulationSettings.DEFAULT);

  @BeforeEach
  void node() {
    cluster.create(
        Kinds.NODE,
        yaml(
            "{apiVersion: v1, kind: Node, metadata: {name: n, annotations: {kwok.x-k8s.io/node:"
                + " fake}}}"));
  }

  private void pod(String name, String annotations) {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, annotations: {%s}}
                spec: {nodeName: n, containers: [{name: a}, {name: b}]}
                """
                    .formatted(name, annotations)));
    cluster.patchStatus(
        Kinds.POD,
        pod,
        Tree.of(
            "phase",
            "Running",
            "startTime",
            "2030-01-01T00:00:00Z",
            "containerStatuses",
            List.of(Tree.of("name", "a", "restartCount", 2), Tree.of("name", "b"))));
  }

  private void say(ResourceKind kind, String name, String spec) {
    cluster.create(
        kind,
        yaml(
            "{apiVersion: kwok.x-k8s.io/v1alpha1, kind: %s, metadata: {name: %s%s}, spec: {%s}}"
                .formatted(
                    kind.kind(), name, kind.namespaced() ? ", namespace: default" : "", spec)));
  }

  private void pass(Duration time) {
    var end = cluster.time().now().plus(time);
    cluster.time().after(time, () -> {});
    while (cluster.time().now().isBefore(end)) {
      cluster.time().step();
    }
  }

  private List<String> samples(String path, String metric) {
    return usage
        .page(path)
        .orElseThrow(() -> new AssertionError("no page " + path))
        .lines()
        .filter(line -> line.startsWith(metric) || line.startsWith("# " + metric))
        .toList();
  }

  private String memory(String container) {
    return samples(
            RESOURCES, "container_memory_working_set_bytes{container=\"%s\"".formatted(container))
        .getFirst()
        .replaceAll(".* ", "");
  }

  record Case(String name, String own, List<String> everywhere, String annotations, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String all(String memory) {
    return "usages: [{usage: {memory: {%s}}}]".formatted(memory);
  }

  private static final String MINE = "usages: [{usage: {memory: {value: 5}}}]";

  static final List<Case> RESOLVED =
      List.of(
          new Case("nobody says anything", "", List.of(), "", "1048576 1048576"),
          new Case("the annotation", "", List.of(), "kwok.x-k8s.io/usage-memory: 2Ki", "2048 2048"),
          new Case("the object of the pod", all("value: 3"), List.of(MINE), "", "3 3"),
          new Case("the cluster's in order", "", List.of(all("value: 4"), MINE), "", "4 4"),
          new Case(
              "a named container wins over the rest",
              "usages: [{usage: {memory: {value: 1}}}, {containers: [b], usage: {memory: {value:"
                  + " 2}}}]",
              List.of(),
              "",
              "1 2"),
          new Case(
              "who is not named is asked for elsewhere",
              "usages: [{containers: [b], usage: {memory: {value: 2}}}]",
              List.of(MINE),
              "",
              "5 2"),
          new Case(
              "a resource that is not named is not used",
              all("value: 3").replace("memory", "cpu"),
              List.of(MINE),
              "",
              "0 0"),
          new Case(
              "other namespaces and names",
              "",
              List.of(
                  "selector: {matchNamespaces: [other]}, " + MINE,
                  "selector: {matchNames: [q]}, " + MINE,
                  "selector: {matchNamespaces: [default], matchNames: [p]}, " + all("value: 7")),
              "",
              "7 7"),
          new Case(
              "an expression",
              all(
                  "expression: 'Quantity(\"1Ki\") * 2.0 + (container.name == \"a\" ? 1.0 : 0.0) +"
                      + " pod.SinceSecond()'"),
              List.of(),
              "",
              "2049 2048"),
          new Case("nobody uses less than nothing", all("expression: '-1'"), List.of(), "", "0 0"));

  @ParameterizedTest
  @FieldSource("RESOLVED")
  void containersUse(Case c) {
    pod("p", c.annotations());
    if (!c.own().isEmpty()) {
      say(Kinds.RESOURCE_USAGE, "p", c.own());
    }
    for (int i = 0; i < c.everywhere().size(); i++) {
      say(Kinds.CLUSTER_RESOURCE_USAGE, "u" + i, c.everywhere().get(i));
    }

    assertThat(memory("a") + " " + memory("b")).isEqualTo(c.want());
  }

  @Test
  void podsAndNodesUseWhatTheirContainersDo() {
    pod("p", "");
    pod("q", "");
    say(Kinds.CLUSTER_RESOURCE_USAGE, "u", MINE);

    assertThat(samples(RESOURCES, "pod_memory"))
        .containsExactly(
            "pod_memory_working_set_bytes{namespace=\"default\",pod=\"p\"} 10",
            "pod_memory_working_set_bytes{namespace=\"default\",pod=\"q\"} 10");
    assertThat(samples(RESOURCES, "node_memory"))
        .containsExactly("node_memory_working_set_bytes 20");
    assertThat(samples(RESOURCES, "container_start_time"))
        .contains(
            "container_start_time_seconds{container=\"a\",namespace=\"default\",pod=\"p\"}"
                + " 1893456000");
  }

  @Test
  void usageAddsUpFromTheFirstReadingOn() {
    pod("p", "kwok.x-k8s.io/usage-cpu: 500m");
    pass(Duration.ofSeconds(10));
    String meter = "pod_cpu_usage_seconds_total{namespace=\"default\",pod=\"p\"} ";

    assertThat(samples(RESOURCES, "pod_cpu")).containsExactly(meter + "0");
    pass(Duration.ofSeconds(10));
    assertThat(samples(RESOURCES, "pod_cpu")).containsExactly(meter + "10");
    pass(Duration.ofSeconds(2));
    assertThat(samples(RESOURCES, "pod_cpu")).containsExactly(meter + "12");
    assertThat(samples(RESOURCES, "node_cpu")).containsExactly("node_cpu_usage_seconds_total 12");
  }

  @Test
  void onlyRunningPodsUseAnything() {
    pod("p", "");
    ApiObject pod = cluster.require(Kinds.POD.key("default", "p"));
    cluster.patchStatus(Kinds.POD, pod, Tree.of("phase", "Succeeded"));

    assertThat(samples(RESOURCES, "pod_memory")).isEmpty();
    assertThat(samples(RESOURCES, "node_memory"))
        .containsExactly("node_memory_working_set_bytes 0");
  }

  @Test
  void onlySimulatedNodesHavePages() {
    cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", "real"));

    assertThat(usage.page("/metrics/nodes/real/metrics/resource")).isEmpty();
    assertThat(usage.page("/metrics/nodes/none/metrics/resource")).isEmpty();
    assertThat(usage.page("/metrics/other")).isEmpty();
  }

  @Test
  void metricsOfUsersReplaceOursOfTheSamePath() {
    pod("p", "");
    say(
        Kinds.METRIC,
        "mine",
        "path: '/metrics/nodes/{nodeName}/metrics/resource', metrics: [{name: started, help:"
            + " \"two\\nlines\", kind: counter, value: node.StartedContainersTotal()}]");

    assertThat(usage.page(RESOURCES))
        .contains("# HELP started two\\nlines\n# TYPE started counter\nstarted 4\n");
  }

  @Test
  void histogramsAddUpTheirBuckets() {
    say(
        Kinds.METRIC,
        "mine",
        """
        path: /metrics/all, metrics: [{name: h, kind: histogram, dimension: node,
        labels: [{name: node, value: node.metadata.name}],
        buckets: [{le: 2, value: '4'}, {le: 0.5, value: '1', hidden: true}, {le: 1, value: '2'}]}]
        """);

    assertThat(usage.page("/metrics/all"))
        .contains(
            """
            # HELP h\s
            # TYPE h histogram
            h_bucket{node="n",le="1"} 3
            h_bucket{node="n",le="2"} 7
            h_bucket{node="n",le="+Inf"} 7
            h_sum{node="n"} 10.5
            h_count{node="n"} 7
            """);
  }

  @Test
  void whatFailsIsLeftOutAndSaysWhy() {
    pod("p", "");
    pod("q", "");
    say(Kinds.RESOURCE_USAGE, "p", all("expression: pod.metadata.labels.size"));
    say(Kinds.RESOURCE_USAGE, "q", MINE);

    assertThat(samples(RESOURCES, "pod_memory_working_set_bytes"))
        .hasSize(2)
        .contains("pod_memory_working_set_bytes{namespace=\"default\",pod=\"q\"} 10")
        .anyMatch(
            line -> line.startsWith("# pod_memory_working_set_bytes: ") && line.contains("labels"));
  }

  @Test
  void theMetricsApiTellsTheSame() {
    pod("p", "kwok.x-k8s.io/usage-cpu: 250m");
    var api = new ResourceMetricsApi(usage, MeasuredUsage.NONE, () -> cluster.time().now());
    var parts = api.parts();

    Tree nodes = api.read(question(parts.getFirst(), "", ""));
    Tree pods = api.read(question(parts.getLast(), "default", ""));
    Tree pod = api.read(question(parts.getLast(), "default", "p"));

    assertThat(nodes.text("kind")).isEqualTo("NodeMetricsList");
    assertThat(nodes.trees("items").getFirst().tree("usage"))
        .isEqualTo(Tree.of("cpu", "500m", "memory", "2Mi"));
    assertThat(pods.trees("items")).containsExactly(pod);
    assertThat(pod.trees("containers"))
        .first()
        .isEqualTo(Tree.of("name", "a", "usage", Tree.of("cpu", "250m", "memory", "1Mi")));
    assertThat(api.read(question(parts.getLast(), "other", "")).trees("items")).isEmpty();
  }

  private static ComputedApi.Request question(
      ComputedApi.Part part, String namespace, String name) {
    return new ComputedApi.Request(part, namespace, name, new TreeMap<>());
  }
}
