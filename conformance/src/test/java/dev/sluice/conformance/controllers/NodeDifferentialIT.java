package dev.sluice.conformance.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.TwoServers;
import dev.sluice.controllers.nodes.lifecycle.NodeLifecycle;
import dev.sluice.controllers.nodes.lifecycle.TaintEviction;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.testkit.Worlds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that are unwell, and their pods, under kube-controller-manager and under ours: what must
 * become of them is said here, and both must come to it.
 */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@Timeout(120)
class NodeDifferentialIT {
  /** Enough ready nodes that the others do not count as an outage of the zone. */
  private static final int WELL = 12;

  private static final String READY = "{type: Ready, status: 'True'}";

  private final TwoWorlds worlds;

  NodeDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.worlds =
        new TwoWorlds(
            kubernetes, folder, ours -> List.of(new NodeLifecycle(ours), new TaintEviction(ours)));
  }

  @BeforeEach
  void start() {
    worlds.start();
    for (Cluster cluster : worlds.both()) {
      cluster.watch(Kinds.EVENT, _ -> {});
    }
  }

  @AfterEach
  void close() {
    worlds.close();
  }

  /** A node with these conditions, and the taints that it gets. */
  private record Case(String name, String spec, String conditions, String want) {}

  private static final List<Case> CASES =
      List.of(
          new Case("healthy", "", READY, "[]"),
          new Case(
              "not-ready",
              "",
              "{type: Ready, status: 'False'}",
              "[not-ready:NoExecute, not-ready:NoSchedule]"),
          new Case(
              "silent",
              "",
              "{type: Ready, status: Unknown}",
              "[unreachable:NoExecute, unreachable:NoSchedule]"),
          new Case(
              "short-of-everything",
              "",
              READY
                  + ", {type: MemoryPressure, status: 'True'}, {type: DiskPressure, status:"
                  + " 'True'}, {type: PIDPressure, status: 'True'}, {type: NetworkUnavailable,"
                  + " status: 'True'}",
              "[disk-pressure:NoSchedule, memory-pressure:NoSchedule,"
                  + " network-unavailable:NoSchedule, pid-pressure:NoSchedule]"),
          new Case(
              "short-of-nothing", "", READY + ", {type: MemoryPressure, status: 'False'}", "[]"),
          new Case("cordoned", "unschedulable: true", READY, "[unschedulable:NoSchedule]"));

  private static void node(Cluster cluster, String name, String spec, String conditions) {
    ApiObject wanted =
        Worlds.yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            spec: {%s}
            status: {conditions: [%s]}
            """
                .formatted(name, spec, conditions));
    ApiObject created = cluster.create(Kinds.NODE, wanted);
    Eventually.holds("the status of " + name, () -> reports(cluster, created, wanted.status()));
  }

  /** The node lifecycle controller may write at the same time. */
  private static boolean reports(Cluster cluster, ApiObject node, Tree status) {
    ApiObject now = cluster.get(node.key(Kinds.NODE)).orElseThrow();
    try {
      cluster.patchStatus(
          Kinds.NODE, now, now.status().with("conditions", status.at("conditions")));
      return true;
    } catch (ApiException conflict) {
      return false;
    }
  }

  @Test
  void nodesGetTheTaintsThatTheirConditionsSay() {
    for (Cluster cluster : worlds.both()) {
      for (int i = 0; i < WELL; i++) {
        node(cluster, "well-" + i, "", READY);
      }
      CASES.forEach(each -> node(cluster, each.name(), each.spec(), each.conditions()));
    }
    for (Case each : CASES) {
      assertThat(Eventually.becomes(each.want(), () -> taints(worlds.real, each.name())))
          .as(each.name())
          .isEqualTo(each.want());
      assertThat(Eventually.becomes(each.want(), () -> taints(worlds.ours, each.name())))
          .as("ours: " + each.name())
          .isEqualTo(each.want());
    }
  }

  private static String taints(Cluster cluster, String node) {
    return new Node(cluster.get(Kinds.NODE.key(node)).orElseThrow())
        .taints().stream()
            .map(taint -> taint.key().replace("node.kubernetes.io/", "") + ":" + taint.effect())
            .sorted()
            .toList()
            .toString();
  }

  @Test
  void podsLeaveATaintedNodeUnlessTheyTolerateIt() {
    for (Cluster cluster : worlds.both()) {
      node(cluster, "being-left", "", READY);
      pod(cluster, "intolerant", "");
      pod(cluster, "tolerates-another", "{key: other, operator: Exists}");
      pod(
          cluster,
          "hurries",
          "{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 0}");
      pod(
          cluster,
          "endures",
          "{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 3600}");
      pod(cluster, "tolerates", "{key: k, operator: Exists}");
      taint(cluster);
      for (String name : List.of("intolerant", "tolerates-another", "hurries")) {
        String want =
            "leaves: DeletionByTaintManager Taint manager: deleting due to NoExecute taint"
                + " [Marking for deletion Pod default/%s]".formatted(name);
        assertThat(Eventually.becomes(want, () -> fate(cluster, name))).isEqualTo(want);
      }
      for (String name : List.of("endures", "tolerates")) {
        assertThat(fate(cluster, name)).isEqualTo("stays");
      }
    }
  }

  private static void pod(Cluster cluster, String name, String tolerations) {
    cluster.create(
        Kinds.POD,
        Worlds.yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              {nodeName: being-left, tolerations: [%s], containers: [{name: c, image: none}]}
            """
                .formatted(name, tolerations)));
  }

  private static void taint(Cluster cluster) {
    Eventually.holds(
        "the node is tainted",
        () -> {
          ApiObject now = cluster.get(Kinds.NODE.key("being-left")).orElseThrow();
          var taint = new Taint("k", "", Taint.NO_EXECUTE);
          try {
            cluster.update(Kinds.NODE, new Node(now).withTaints(List.of(taint)).object());
            return true;
          } catch (ApiException conflict) {
            return false;
          }
        });
  }

  private static String fate(Cluster cluster, String name) {
    Pod pod = new Pod(cluster.get(Kinds.POD.key("default", name)).orElseThrow());
    PodStatus status = pod.status();
    List<String> told =
        cluster.list(Kinds.EVENT, "default").stream()
            .filter(event -> event.tree().text("involvedObject", "name").equals(name))
            .map(Event::new)
            .filter(event -> event.reason().equals("TaintManagerEviction"))
            .map(Event::message)
            .toList();
    return pod.isDeleting()
        ? "leaves: %s %s %s"
            .formatted(
                status.reason(PodStatus.DISRUPTION_TARGET),
                status.message(PodStatus.DISRUPTION_TARGET),
                told)
        : "stays";
  }

  @Test
  void aNodeThatSaysThatItIsNotReadyLooksAfterItsPods() {
    for (Cluster cluster : worlds.both()) {
      for (int i = 0; i < WELL; i++) {
        node(cluster, "fine-" + i, "", READY);
      }
      node(cluster, "unwell", "", READY);
      placed(cluster, "ready", "unwell", "status: 'True', observedGeneration: 1");
      ApiObject stale = placed(cluster, "stale", "unwell", "status: 'True', observedGeneration: 1");
      cluster.update(Kinds.POD, stale.with(List.of("spec", "activeDeadlineSeconds"), 3600));
      placed(cluster, "unready", "unwell", "status: 'False', reason: R");
      ApiObject unwell = cluster.get(Kinds.NODE.key("unwell")).orElseThrow();
      Tree not = TwoServers.yaml("{conditions: [{type: Ready, status: 'False'}]}");
      Eventually.holds("unwell says so", () -> reports(cluster, unwell, not));
    }
    for (Cluster cluster : worlds.both()) {
      Eventually.holds(
          "it was noticed", () -> taints(cluster, "unwell").contains("not-ready:NoExecute"));
    }

    for (String name : List.of("ready", "stale", "unready")) {
      assertThat(readiness(worlds.ours, name))
          .as(name)
          .isEqualTo(readiness(worlds.real, name))
          .contains(name.equals("unready") ? "False" : "True");
    }
    assertThat(told(worlds.ours)).isEqualTo(told(worlds.real)).isEmpty();
  }

  private static ApiObject placed(Cluster cluster, String name, String node, String ready) {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            Worlds.yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec: {nodeName: %s, containers: [{name: c, image: none}]}
                """
                    .formatted(name, node)));
    Tree status = TwoServers.yaml("{conditions: [{type: Ready, %s}]}".formatted(ready));
    return cluster.patchStatus(
        Kinds.POD, pod, pod.status().with("conditions", status.at("conditions")));
  }

  private static String readiness(Cluster cluster, String pod) {
    ApiObject now = cluster.get(Kinds.POD.key("default", pod)).orElseThrow();
    Tree ready = Condition.find(now.status(), PodStatus.READY).orElseThrow();
    return now.generation() + ": " + ready.without("lastTransitionTime").without("lastProbeTime");
  }

  /** The events about nodes that are not ready, by object. */
  private static List<String> told(Cluster cluster) {
    return cluster.list(Kinds.EVENT).stream()
        .filter(event -> new Event(event).reason().equals("NodeNotReady"))
        .map(event ->
            event.tree().text("involvedObject", "name") + ": " + new Event(event).message())
        .sorted()
        .toList();
  }
}
