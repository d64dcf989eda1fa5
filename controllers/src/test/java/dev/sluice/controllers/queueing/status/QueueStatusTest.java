package dev.sluice.controllers.queueing.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.ConfigurationFile;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.controllers.queueing.QueueWorld;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The status of queues and cohorts. */
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

  /** A queue with 2 CPUs in a cohort of 4, with an admitted workload of 3. */
  private static QueueWorld world(Configuration configuration, String cohort) {
    var world = new QueueWorld(configuration);
    world.clusterQueue("cq", cohort, 2).clusterQueue("rich", cohort, 2);
    world.localQueue("default", "a", "cq").workload("default", "one", "a", 0, 3);
    world.add(new QueueStatusController(world.cluster, world.cache, configuration));
    world.add(new CohortStatusController(world.cluster, world.cache, configuration));
    return world;
  }

  private static QueueStatus status(QueueWorld world, ObjectKey key) {
    return new QueueStatus(world.cluster.require(key).status());
  }

  @Test
  void clusterQueueHasBorrowedAmountsAndLocalQueueHasNone() {
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
  void fairSharingShowsWeightedShares() {
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
  void disabledFairSharingRemovesWeightedShares() {
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

  /** A situation, and the condition Active of the LocalQueue. */
  record Case(String name, Consumer<QueueWorld> given, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final ObjectKey LOCAL = Kinds.LOCAL_QUEUE.key("default", "a");
  private static final ObjectKey CLUSTER = Kinds.CLUSTER_QUEUE.key("cq");

  static final List<Case> CASES =
      List.of(
          new Case("all is well", _ -> {}, "True Ready: Can submit new workloads to localQueue"),
          new Case(
              "stopped",
              world -> world.spec(LOCAL, spec -> spec.with("stopPolicy", "Hold")),
              "False Stopped: LocalQueue is stopped"),
          new Case(
              "no ClusterQueue",
              world -> world.delete(CLUSTER),
              "False ClusterQueueDoesNotExist: Can't submit new workloads to clusterQueue"),
          new Case(
              "a stopped ClusterQueue",
              world -> world.spec(CLUSTER, spec -> spec.with("stopPolicy", "HoldAndDrain")),
              "False ClusterQueueIsInactive: Can't submit new workloads to clusterQueue"),
          new Case(
              "a ClusterQueue without its flavor",
              world -> world.delete(Kinds.RESOURCE_FLAVOR.key("plain")),
              "False ClusterQueueIsInactive: Can't submit new workloads to clusterQueue"));

  @ParameterizedTest
  @FieldSource("CASES")
  void localQueueHasTheConditionActive(Case c) {
    QueueWorld world = world(Configuration.DEFAULT, "all");
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));

    c.given().accept(world);
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));

    Tree active = status(world, LOCAL).tree().trees("conditions").getFirst();
    assertThat(active.text("type")).isEqualTo("Active");
    assertThat(active.text("status") + " " + active.text("reason") + ": " + active.text("message"))
        .isEqualTo(c.want());
  }

  @Test
  void localQueueOfADeletedClusterQueueHasNoUsage() {
    QueueWorld world = world(Configuration.DEFAULT, "all");
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));
    assertThat(status(world, LOCAL).tree().trees("flavorsUsage")).isNotEmpty();

    world.delete(CLUSTER);
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));

    assertThat(status(world, LOCAL).tree().trees("flavorsUsage")).isEmpty();
    assertThat(status(world, LOCAL).tree().trees("flavorsReservation")).isEmpty();
  }

  /** The quota of a workload with pending checks is reserved, but not used. */
  @Test
  void queuesCountPendingReservingAndAdmittedWorkloads() {
    QueueWorld world = world(Configuration.DEFAULT, "all");
    world.workload("default", "two", "a", 0, 3);
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));
    ObjectKey one = Kinds.WORKLOAD.key("default", "one");
    for (ObjectKey queue : List.of(CLUSTER, LOCAL)) {
      assertThat(counts(world, queue)).isEqualTo("1 pending, 1 reserving 3, 1 admitted 3");
    }

    var notYet = new Condition(WorkloadStatus.ADMITTED, false, "UnsatisfiedChecks", "");
    world.status(one, (status, now) -> status.with(notYet, now));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));

    for (ObjectKey queue : List.of(CLUSTER, LOCAL)) {
      assertThat(counts(world, queue)).isEqualTo("1 pending, 1 reserving 3, 0 admitted 0");
    }
  }

  private static String counts(QueueWorld world, ObjectKey queue) {
    Tree status = status(world, queue).tree();
    return "%d pending, %d reserving %s, %d admitted %s"
        .formatted(
            status.whole("pendingWorkloads").orElseThrow(),
            status.whole("reservingWorkloads").orElseThrow(),
            total(status, "flavorsReservation"),
            status.whole("admittedWorkloads").orElseThrow(),
            total(status, "flavorsUsage"));
  }

  private static String total(Tree status, String field) {
    return status.trees(field).getFirst().trees("resources").getFirst().text("total");
  }

  /** A borrowing queue with weight zero has a share above all others. */
  @Test
  void queueWithWeightZeroHasTheMaximumShare() {
    QueueWorld world = world(FAIR, "all");
    world.spec(CLUSTER, spec -> spec.with("fairSharing", Tree.of("weight", 0)));

    world.start(DecisionLog.NONE, Duration.ofSeconds(5));

    assertThat(status(world, CLUSTER).weightedShare()).hasValue(Long.MAX_VALUE);
  }

  @Test
  void busyQueueIsWrittenLessOften() {
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

  /** Users who change a queue wait for this generation before they trust the condition. */
  @Test
  void conditionActiveHasTheObservedGeneration() {
    QueueWorld world = world(Configuration.DEFAULT, "all");
    VirtualDriver driver = world.start(DecisionLog.NONE, Duration.ofSeconds(5));
    assertThat(observed(world, CLUSTER)).isEqualTo(1);

    world.spec(CLUSTER, spec -> spec.with("queueingStrategy", "StrictFIFO"));
    world.spec(LOCAL, spec -> spec.with("fairSharing", Tree.of("weight", "2")));
    Worlds.pass(driver, world.cluster, Duration.ofSeconds(10));

    assertThat(observed(world, CLUSTER)).isEqualTo(2);
    assertThat(observed(world, LOCAL)).isEqualTo(2);
  }

  private static long observed(QueueWorld world, ObjectKey queue) {
    return Condition.find(world.cluster.require(queue).status(), "Active")
        .orElseThrow()
        .whole("observedGeneration")
        .orElse(0);
  }
}
