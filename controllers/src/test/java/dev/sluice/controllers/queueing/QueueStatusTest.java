package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.Worlds;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.runtime.VirtualDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the status of queues and cohorts says about sharing. */
final class QueueStatusTest {
  private static final Configuration FAIR =
      ConfigurationFile.read(
              """
              apiVersion: config.kueue.x-k8s.io/v1beta2
              kind: Configuration
              integrations: {frameworks: [batch/job]}
              fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
              """,
              new TreeMap<>())
          .configuration();

  /** A queue with 2 CPUs in a cohort of 4 runs a workload that takes 3. */
  private static QueueWorld world(Configuration configuration, String cohort) {
    var world = new QueueWorld(configuration);
    world.clusterQueue("cq", cohort, 2).clusterQueue("rich", cohort, 2);
    world.localQueue("default", "a", "cq").workload("default", "one", "a", 0, 3);
    world.add(new QueueStatusController(world.cluster, world.book, configuration));
    world.add(new CohortStatusController(world.cluster, world.book, configuration));
    return world;
  }

  private static QueueStatus status(QueueWorld world, ObjectKey key) {
    return new QueueStatus(world.cluster.require(key).status());
  }

  @Test
  void a_queue_says_what_it_borrows_and_a_local_queue_does_not() {
    QueueWorld world = world(Configuration.DEFAULT, "all");

    world.start(DecisionLog.NONE, Duration.ofSeconds(5));

    QueueStatus queue = status(world, Kinds.CLUSTER_QUEUE.key("cq"));
    assertThat(queue.used("plain", "cpu")).isEqualTo("3");
    assertThat(queue.borrowed("plain", "cpu")).isEqualTo("1");
    assertThat(queue.weightedShare()).isEmpty();
    assertThat(status(world, Kinds.LOCAL_QUEUE.key("default", "a")).tree().toString())
        .contains("\"total\":\"3\"")
        .doesNotContain("borrowed");
  }

  @Test
  void shares_are_told_where_they_count() {
    QueueWorld world = world(FAIR, "child");
    world.cluster.create(
        Kinds.COHORT,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Cohort
            metadata: {name: child}
            spec: {parentName: root}
            """));
    world.clusterQueue("lender", "root", 4);
    world.workload("default", "two", "a", 0, 3);

    world.start(DecisionLog.NONE, Duration.ofSeconds(5));

    // 6 of 8 CPUs are used in a queue that has 2, below a cohort that has 4.
    assertThat(status(world, Kinds.CLUSTER_QUEUE.key("cq")).weightedShare()).hasValue(500);
    assertThat(status(world, Kinds.CLUSTER_QUEUE.key("rich")).weightedShare()).hasValue(0);
    assertThat(status(world, Kinds.COHORT.key("child")).weightedShare()).hasValue(250);
  }

  @Test
  void shares_are_taken_back_where_they_no_longer_count() {
    QueueWorld world = world(Configuration.DEFAULT, "all");
    world.cluster.create(
        Kinds.COHORT,
        Worlds.yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Cohort
            metadata: {name: all}
            status: {fairSharing: {weightedShare: 7}}
            """));

    world.start(DecisionLog.NONE, Duration.ofSeconds(5));

    assertThat(status(world, Kinds.COHORT.key("all")).weightedShare()).isEmpty();
  }

  @Test
  void a_queue_is_told_of_less_often_the_longer_much_goes_on_in_it() {
    QueueWorld world = world(Configuration.DEFAULT, "all");
    var written = new ArrayList<Long>();
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(30));
    Instant start = world.cluster.time().now();
    world.cluster.watch(
        Kinds.CLUSTER_QUEUE,
        event -> {
          if (event.object().name().equals("cq")) {
            written.add(Duration.between(start, world.cluster.time().now()).toSeconds());
          }
        });

    for (int i = 0; i < 100; i++) {
      world.workload("default", "more-" + i, "a", 0, 1);
      Worlds.pass(driver, world.cluster, Duration.ofMillis(200));
    }
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(30));

    written.removeFirst(); // a watch begins with what there is
    assertThat(written).containsExactly(0L, 1L, 3L, 7L, 12L, 17L, 22L);
    assertThat(status(world, Kinds.CLUSTER_QUEUE.key("cq")).pending()).isEqualTo(99);
  }
}
