package dev.sluice.controllers.queueing;

import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Timeout(30)
class FailureRecoveryTest {
  private static final String SAFE_TO_DELETE = "kueue.x-k8s.io/safe-to-forcefully-delete: \"true\"";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  /** The default grace period of a pod, and the minute after it. */
  private static final Duration UNTIL_STUCK = Duration.ofSeconds(90);

  private final FakeCluster cluster = new FakeCluster(1);

  private static List<Controller> controllers(FakeCluster cluster, boolean gate) {
    var gates = new TreeMap<String, Boolean>();
    gates.put("FailureRecoveryPolicy", gate);
    var loaded = ConfigurationFile.none(gates, "kueue-system");
    return ControllerSet.of(
            Set.of(Group.QUEUEING), cluster, DecisionLog.NONE, loaded.configuration())
        .stream()
        .filter(controller -> controller.name().equals("failure-recovery"))
        .toList();
  }

  private VirtualDriver start() {
    return Worlds.driver(cluster, 1, controllers(cluster, true));
  }

  private void addNode(String name, String... taints) {
    ApiObject node =
        cluster.create(
            Kinds.NODE, yaml("{apiVersion: v1, kind: Node, metadata: {name: " + name + "}}"));
    taint(node, taints);
  }

  private void taint(ApiObject node, String... keys) {
    List<Taint> taints =
        List.of(keys).stream().map(key -> new Taint(key, "", Taint.NO_EXECUTE)).toList();
    cluster.update(Kinds.NODE, new Node(node).withTaints(taints).object());
  }

  private ApiObject addPod(String name, String node, String metadata, String phase) {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, %s}
                spec: {nodeName: "%s", terminationGracePeriodSeconds: 30}
                """
                    .formatted(name, metadata, node)));
    return cluster.patchStatus(
        Kinds.POD, pod, pod.status().with("phase", phase).with("podIP", "10.0.0.1"));
  }

  private ApiObject addSafeToDelete(String name) {
    return addPod(name, "n", "annotations: {" + SAFE_TO_DELETE + "}", "Running");
  }

  private void delete(ApiObject pod) {
    cluster.delete(Kinds.POD, pod, Deletion.BACKGROUND);
  }

  private List<String> pods() {
    return cluster.list(Kinds.POD).stream().map(ApiObject::name).toList();
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  @Test
  void podStuckOnAnUnreachableNodeIsFailedAndDeletedAMinuteAfterItsGracePeriod() {
    addNode("n", UNREACHABLE);
    ApiObject pod = addSafeToDelete("p");
    ApiObject held =
        addPod(
            "held",
            "n",
            "finalizers: [acme.io/hold], annotations: {" + SAFE_TO_DELETE + "}",
            "Pending");
    try (VirtualDriver driver = start()) {
      pass(driver, cluster, Duration.ofHours(1));
      delete(pod);
      delete(held);
      pass(driver, cluster, UNTIL_STUCK.minusSeconds(1));
      assertThat(pods()).containsExactly("held", "p");
      assertThat(pod("p").phase()).isEqualTo(Pod.Phase.RUNNING);

      pass(driver, cluster, Duration.ofSeconds(1));
    }

    assertThat(pods()).containsExactly("held");
    assertThat(pod("held").phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod("held").graceSeconds()).hasValue(0);
    assertThat(pod("held").status().tree().text("podIP")).isEqualTo("10.0.0.1");
    assertThat(pod("held").status().reason("KueueFailureRecovery"))
        .isEqualTo("KueueForcefullyDeleted");
    assertThat(Worlds.events(cluster, "p"))
        .containsExactly(
            "Warning KueueForcefullyDeleted: node n cannot be reached, and the pod has been"
                + " terminating for a minute longer than its grace period; its annotation"
                + " kueue.x-k8s.io/safe-to-forcefully-delete allows to end it");
  }

  record KeptPod(String why, String node, String metadata, boolean deleted, String taint) {
    @Override
    public String toString() {
      return why;
    }
  }

  static final List<KeptPod> SPARED =
      List.of(
          new KeptPod(
              "it is not deleted",
              "n",
              "annotations: {" + SAFE_TO_DELETE + "}",
              false,
              UNREACHABLE),
          new KeptPod("it does not consent", "n", "annotations: {}", true, UNREACHABLE),
          new KeptPod(
              "it says no",
              "n",
              "annotations: {kueue.x-k8s.io/safe-to-forcefully-delete: \"false\"}",
              true,
              UNREACHABLE),
          new KeptPod(
              "a label is no consent", "n", "labels: {" + SAFE_TO_DELETE + "}", true, UNREACHABLE),
          new KeptPod(
              "its node can be reached",
              "n",
              "annotations: {" + SAFE_TO_DELETE + "}",
              true,
              "node.kubernetes.io/not-ready"),
          new KeptPod(
              "its node is unknown",
              "gone",
              "annotations: {" + SAFE_TO_DELETE + "}",
              true,
              UNREACHABLE));

  @ParameterizedTest
  @FieldSource("SPARED")
  void otherPodIsKept(KeptPod c) {
    addNode("n", c.taint());
    ApiObject pod = addPod("p", c.node(), c.metadata(), "Running");
    if (c.deleted()) {
      delete(pod);
    }
    try (VirtualDriver driver = start()) {
      long writes = cluster.writes();
      pass(driver, cluster, Duration.ofHours(1));

      assertThat(pod("p").phase()).isEqualTo(Pod.Phase.RUNNING);
      assertThat(cluster.writes()).isEqualTo(writes);
    }
  }

  @Test
  void laterTaintCountsUntilTheNodeComesBack() {
    addNode("n");
    try (VirtualDriver driver = start()) {
      delete(addSafeToDelete("early"));
      pass(driver, cluster, Duration.ofHours(1));
      assertThat(pods()).containsExactly("early");

      taint(cluster.require(Kinds.NODE.key("n")), UNREACHABLE);
      delete(addSafeToDelete("late"));
      pass(driver, cluster, Duration.ofSeconds(1));
      assertThat(pods()).as("its minute was over long before").containsExactly("late");

      taint(cluster.require(Kinds.NODE.key("n")));
      pass(driver, cluster, Duration.ofHours(1));
      assertThat(pods()).containsExactly("late");
    }
  }

  @Test
  void restartedControllerDeletesTheFailedPod() {
    addNode("n", UNREACHABLE);
    delete(addSafeToDelete("p"));
    cluster.refuseDeletions(Kinds.POD);
    try (VirtualDriver stopped = start()) {
      pass(stopped, cluster, UNTIL_STUCK);
      assertThat(pod("p").phase()).isEqualTo(Pod.Phase.FAILED);
    }

    cluster.refuseDeletions();
    try (VirtualDriver driver = start()) {
      driver.settle();
    }

    assertThat(pods()).isEmpty();
  }

  @Test
  void podWithAFinalizerIsWrittenOnce() {
    addNode("n", UNREACHABLE);
    delete(
        addPod(
            "p",
            "n",
            "finalizers: [acme.io/hold], annotations: {" + SAFE_TO_DELETE + "}",
            "Running"));
    try (VirtualDriver driver = start()) {
      pass(driver, cluster, UNTIL_STUCK);
      long writes = cluster.writes();
      pass(driver, cluster, Duration.ofHours(1));

      assertThat(cluster.writes()).isEqualTo(writes);
    }
  }

  @Test
  void gateIsOffByDefault() {
    assertThat(controllers(cluster, true)).hasSize(1);
    assertThat(controllers(cluster, false)).isEmpty();
    assertThat(ConfigurationFile.none(new TreeMap<>(), "kueue-system").configuration().gates())
        .noneMatch(gate -> gate.word().equals("FailureRecoveryPolicy"));
  }
}
