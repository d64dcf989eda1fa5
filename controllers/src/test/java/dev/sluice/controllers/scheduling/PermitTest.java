package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Permit;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that may be bound only together, by a small gang rule. */
@Timeout(30)
class PermitTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private VirtualDriver driver;

  /** Pods whose label {@code gang} is equal are bound once there is room for three of them. */
  private static final class Gangs implements Permit {
    private final SortedMap<String, TreeSet<ObjectKey>> placed = new TreeMap<>();

    @Override
    public Plugin plugin() {
      return new Plugin("Gangs");
    }

    @Override
    public Outcome ask(PodFacts pod, String node, Instant now) {
      String gang = pod.labels().text("gang");
      if (gang.isEmpty()) {
        return Outcome.YES;
      }
      placed.computeIfAbsent(gang, _ -> new TreeSet<>()).add(pod.key());
      return placed.get(gang).size() >= 3 ? Outcome.YES : new Wait(Duration.ofMinutes(1));
    }

    @Override
    public void lost(PodFacts pod, String node) {
      placed.getOrDefault(pod.labels().text("gang"), new TreeSet<>()).remove(pod.key());
    }
  }

  @BeforeEach
  void start() {
    driver =
        driver(
            cluster,
            1,
            List.of(
                new PodScheduler(cluster, SchedulerConfiguration.DEFAULT, List.of(new Gangs()))));
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}
            """));
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private void addPod(String name, String labels, int priority) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, labels: {%s}}
            spec:
              schedulerName: default-scheduler
              priority: %d
              containers: [{name: a, resources: {requests: {cpu: 1}}}]
            """
                .formatted(name, labels, priority)));
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  @Test
  void membersHoldTheirRoomUntilAllAreThere() {
    addPod("a", "gang: g", 0);
    addPod("b", "gang: g", 0);
    driver.settle();

    assertThat(pod("a").isBound()).isFalse();
    assertThat(pod("a").status().nominatedNodeName()).isEqualTo("n");

    addPod("x", "", 0);
    addPod("y", "", 0);
    addPod("z", "", 0);
    driver.settle();
    assertThat(pod("x").isBound()).isTrue();
    assertThat(pod("z").status().message(PodStatus.POD_SCHEDULED)).contains("Insufficient cpu");

    cluster.delete(Kinds.POD, pod("x").object(), Deletion.NOW);
    cluster.delete(Kinds.POD, pod("z").object(), Deletion.NOW);
    addPod("c", "gang: g", 0);
    driver.settle();
    assertThat(List.of("a", "b", "c")).allMatch(name -> pod(name).isBound());
  }

  @Test
  void podThatWaitsTooLongReleasesItsNodeAndReportsIt() {
    addPod("a", "gang: g", 0);
    driver.settle();
    pass(driver, cluster, Duration.ofSeconds(61));

    assertThat(pod("a").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin"
                + " Gangs.");
    assertThat(pod("a").status().nominatedNodeName()).isEmpty();

    addPod("w", "", 0);
    addPod("x", "", 0);
    addPod("y", "", 0);
    addPod("z", "", 0);
    driver.settle();
    assertThat(List.of("w", "x", "y", "z")).allMatch(name -> pod(name).isBound());
  }

  @Test
  void aMoreImportantPodTakesTheRoomOfOneThatOnlyWaits() {
    addPod("a", "gang: g", 0);
    addPod("b", "gang: g", 0);
    addPod("x", "", 5);
    addPod("y", "", 5);
    driver.settle();
    addPod("z", "", 5);
    driver.settle();

    assertThat(pod("z").isBound()).isTrue();
    assertThat(cluster.list(Kinds.POD)).hasSize(5).noneMatch(one -> one.isDeleting());
  }

  @Test
  void aMemberThatIsDeletedLeavesItsRoom() {
    addPod("a", "gang: g", 0);
    addPod("b", "gang: g", 0);
    driver.settle();
    cluster.delete(Kinds.POD, pod("a").object(), Deletion.NOW);
    addPod("c", "gang: g", 0);
    driver.settle();

    assertThat(pod("b").isBound()).isFalse();

    addPod("d", "gang: g", 0);
    driver.settle();
    assertThat(List.of("b", "c", "d")).allMatch(name -> pod(name).isBound());
  }
}
