package dev.sluice.controllers.housekeeping;

import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PodGarbageCollectorTest {
  private static final String HOLD = "acme.io/hold";

  private final FakeCluster cluster = new FakeCluster(1);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new PodGarbageCollector(cluster, 3)));

  @AfterEach
  void stop() {
    driver.close();
  }

  private ApiObject addPod(String name, String node, String phase, String... finalizers) {
    ApiObject pod =
        ApiObject.of(Kinds.POD, "default", name)
            .withMetadata("finalizers", List.of(finalizers))
            .withSpec(node.isEmpty() ? Tree.EMPTY : Tree.of("nodeName", node));
    ApiObject created = cluster.create(Kinds.POD, pod);
    return cluster.patchStatus(Kinds.POD, created, Tree.of("phase", phase));
  }

  private void addNode(String name) {
    cluster.create(
        Kinds.NODE, yaml("{apiVersion: v1, kind: Node, metadata: {name: " + name + "}}"));
  }

  private List<String> pods() {
    return cluster.list(Kinds.POD).stream().map(ApiObject::name).toList();
  }

  private Pod pod(String name) {
    return new Pod(cluster.require(Kinds.POD.key("default", name)));
  }

  @Test
  void aPodWhoseNodeIsGoneFailsAndGoes() {
    addNode("n");
    addPod("free", "n", "Running");
    addPod("held", "n", "Running", HOLD);
    addPod("done", "n", "Succeeded", HOLD);
    driver.settle();
    cluster.delete(Kinds.NODE, cluster.require(Kinds.NODE.key("n")), Deletion.BACKGROUND);
    pass(driver, cluster, Duration.ofSeconds(39));
    assertThat(pods()).hasSize(3);
    assertThat(pod("held").isDeleting()).isFalse();

    pass(driver, cluster, Duration.ofSeconds(2));

    assertThat(pods()).containsExactly("done", "held");
    assertThat(pod("held").isDeleting()).isTrue();
    assertThat(pod("held").phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod("held").status().reason(Disruption.CONDITION)).isEqualTo("DeletionByPodGC");
    assertThat(pod("held").status().message(Disruption.CONDITION))
        .isEqualTo("PodGC: node no longer exists");
    assertThat(pod("done").phase()).isEqualTo(Pod.Phase.SUCCEEDED);
    assertThat(pod("done").status().holds(Disruption.CONDITION)).isFalse();
  }

  @Test
  void whatAForeignFinalizerHoldsIsNotDeletedAgainAndAgain() {
    addPod("held", "nowhere", "Running", HOLD);
    pass(driver, cluster, Duration.ofMinutes(1));
    long writes = cluster.writes();
    pass(driver, cluster, Duration.ofHours(1));

    assertThat(cluster.writes()).isEqualTo(writes);
  }

  @Test
  void aNodeThatComesBackInTimeKeepsItsPods() {
    addPod("p", "n", "Running");
    pass(driver, cluster, Duration.ofSeconds(30));
    addNode("n");
    pass(driver, cluster, Duration.ofMinutes(2));

    assertThat(pods()).containsExactly("p");
    assertThat(pod("p").isDeleting()).isFalse();
  }

  @Test
  void aPodThatIsDeletedBeforeItHasANodeFails() {
    ApiObject pod = addPod("p", "", "Pending", HOLD);
    cluster.delete(Kinds.POD, pod, Deletion.BACKGROUND);
    driver.settle();

    assertThat(pod("p").phase()).isEqualTo(Pod.Phase.FAILED);
    assertThat(pod("p").status().holds(Disruption.CONDITION)).isFalse();
  }

  @Test
  void nothingEndsOnANodeThatIsOutOfService() {
    addNode("n");
    ApiObject pod = addPod("p", "n", "Running");
    addPod("q", "n", "Running");
    cluster.delete(Kinds.POD, pod, Deletion.BACKGROUND);
    driver.settle();
    assertThat(pods()).containsExactly("p", "q");

    Node node = new Node(cluster.require(Kinds.NODE.key("n")));
    Taint taint = new Taint("node.kubernetes.io/out-of-service", "", Taint.NO_EXECUTE);
    cluster.update(Kinds.NODE, node.withTaints(List.of(taint)).object());
    driver.settle();

    assertThat(pods()).containsExactly("q");
  }

  @Test
  void ofThePodsThatEndedTheOldestGoAndThoseThatWereEvictedFirst() {
    addNode("n");
    for (String name : List.of("a", "b", "c", "d")) {
      addPod(name, "n", "Succeeded");
      pass(driver, cluster, Duration.ofSeconds(1));
    }
    assertThat(pods()).containsExactly("b", "c", "d");

    ApiObject evicted = addPod("e", "n", "Running");
    Tree failed = Tree.of("phase", "Failed", "reason", "Evicted");
    cluster.patchStatus(Kinds.POD, evicted, failed);
    driver.settle();
    assertThat(pods()).as("until the next sweep").containsExactly("b", "c", "d", "e");
    pass(driver, cluster, PodGarbageCollector.SWEEP);

    assertThat(pods()).containsExactly("b", "c", "d");
  }

  @Test
  void aLargeExcessGoesInParts() {
    addNode("n");
    for (int i = 0; i < 4_003; i++) {
      addPod("p%04d".formatted(i), "n", "Succeeded");
    }
    driver.settle();
    assertThat(pods()).as("a third of 4,000 is gone").hasSize(2_670).doesNotContain("p0000");

    pass(driver, cluster, PodGarbageCollector.SWEEP);
    assertThat(pods()).as("never less than a thousand").hasSize(1_670);
    pass(driver, cluster, PodGarbageCollector.SWEEP.multipliedBy(2));

    assertThat(pods()).containsExactly("p4000", "p4001", "p4002");
  }
}
