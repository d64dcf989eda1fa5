package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Stopped;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scheduler that dies after any of its writes leaves nothing that the next one cannot finish. */
@Timeout(60)
class PodSchedulerRestartTest {

  private static void addNode(FakeCluster cluster, String name) {
    cluster.create(
        Kinds.NODE,
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status: {allocatable: {cpu: 2, memory: 8Gi, pods: 110}}
            """
                .formatted(name)));
  }

  private static void addPod(FakeCluster cluster, String name, int priority) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: default-scheduler
              priority: %d
              containers: [{name: a, resources: {requests: {cpu: 2}}}]
            """
                .formatted(name, priority)));
  }

  private static List<String> story(FakeCluster cluster) {
    var story = new ArrayList<String>();
    for (Pod pod : pods(cluster)) {
      story.add("%s on '%s'".formatted(pod.name(), pod.nodeName()));
    }
    return story;
  }

  /** Two pods fill two nodes; one leaves for a more important one, and ends. */
  private static List<String> play(FakeCluster cluster, long writes) {
    addNode(cluster, "a");
    addNode(cluster, "b");
    addPod(cluster, "low", 1);
    addPod(cluster, "middle", 5);
    settle(cluster, writes);
    addPod(cluster, "high", 10);
    settle(cluster, writes);
    for (Pod pod : pods(cluster)) {
      if (pod.isDeleting()) {
        cluster.delete(Kinds.POD, pod.object(), Deletion.NOW);
      }
    }
    settle(cluster, writes);
    return story(cluster);
  }

  /** Works until nothing is left to do, with schedulers of which each may write only so much. */
  private static void settle(FakeCluster cluster, long writes) {
    boolean done = false;
    while (!done) {
      try (var driver = driver(cluster, 1, List.of(new PodScheduler(cluster)))) {
        cluster.stopAfterWrites(writes);
        driver.settle();
        done = true;
      } catch (Stopped died) {
        // the next one goes on
      } finally {
        cluster.neverStop();
      }
    }
  }

  @Test
  void whateverItDidLastTheNextOneFinishes() {
    List<String> undisturbed = play(new FakeCluster(1), Long.MAX_VALUE / 2);
    assertThat(undisturbed).containsExactly("high on 'b'", "middle on 'a'");

    for (long writes = 1; writes <= 12; writes++) {
      assertThat(play(new FakeCluster(1), writes))
          .as("dies after %d", writes)
          .isEqualTo(undisturbed);
    }
  }
}
