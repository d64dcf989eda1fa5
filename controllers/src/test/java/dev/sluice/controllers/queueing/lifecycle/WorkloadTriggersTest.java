package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.Life.CLUSTER_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.Life.LOCAL_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.Life.WORKLOAD;
import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom a change concerns, and what it costs to find out. */
class WorkloadTriggersTest {
  private static final ObjectKey OTHER_QUEUE = Kinds.LOCAL_QUEUE.key("default", "other");

  private final Life life = new Life();
  private final List<ObjectKey> asked = new ArrayList<>();

  @BeforeEach
  void anotherQueueHasAWorkloadToo() {
    life.cluster.create(
        Kinds.LOCAL_QUEUE,
        ApiObject.of(Kinds.LOCAL_QUEUE, "default", "other")
            .withSpec(Tree.of("clusterQueue", "elsewhere")));
    life.cluster.create(
        Kinds.WORKLOAD, Workload.of("default", "bystander", "other", List.of()).object());
  }

  /** Listens to everything, and forgets what it was told at the start. */
  private void listen() {
    life.controller()
        .triggers()
        .forEach(trigger ->
            life.cluster.watch(trigger.kind(), event -> asked.addAll(trigger.keys().apply(event))));
    asked.clear();
  }

  @Test
  void aStoppedClusterQueueConcernsWhoWaitsForIt() {
    listen();
    life.stop(CLUSTER_QUEUE, "Hold");

    assertThat(asked).containsExactly(WORKLOAD);
  }

  @Test
  void aStoppedClusterQueueConcernsWhoRunsInItWithoutItsLocalQueue() {
    life.status(Life::admitted).delete(LOCAL_QUEUE);
    listen();
    life.stop(CLUSTER_QUEUE, "HoldAndDrain");

    assertThat(asked).containsExactly(WORKLOAD);
  }

  @Test
  void aClusterQueueThatBecomesActiveConcernsItsWorkloads() {
    listen();
    life.judge(CLUSTER_QUEUE, true);

    assertThat(asked).containsExactly(WORKLOAD);
  }

  @Test
  void theNumbersOfAQueueConcernNobody() {
    life.judge(CLUSTER_QUEUE, true).judge(LOCAL_QUEUE, true);
    listen();
    for (ObjectKey queue : List.of(CLUSTER_QUEUE, LOCAL_QUEUE)) {
      ApiObject object = life.cluster.require(queue);
      life.cluster.patchStatus(queue.kind(), object, object.status().with("pendingWorkloads", 7));
    }

    assertThat(asked).isEmpty();
  }

  @Test
  void aLocalQueueConcernsItsWorkloadsWhenItStopsGoesAndComes() {
    listen();
    life.stop(LOCAL_QUEUE, "Hold");
    ApiObject queue = life.cluster.require(LOCAL_QUEUE);
    life.delete(LOCAL_QUEUE);
    life.cluster.create(Kinds.LOCAL_QUEUE, queue);

    assertThat(asked).containsExactly(WORKLOAD, WORKLOAD, WORKLOAD);
  }

  @Test
  void aWorkloadThatMovesIsFoundInItsNewQueueOnly() {
    life.spec(workload -> workload.withQueueName("other"));
    listen();
    life.stop(LOCAL_QUEUE, "Hold");
    assertThat(asked).isEmpty();

    life.stop(OTHER_QUEUE, "Hold");
    assertThat(asked).containsExactly(Kinds.WORKLOAD.key("default", "bystander"), WORKLOAD);
  }

  @Test
  void nothingEverListsAllWorkloads() {
    Cluster watched = withoutLists(life.cluster);
    var controller = new WorkloadController(watched, Configuration.DEFAULT);
    life.status(Life::reserved).stop(CLUSTER_QUEUE, "HoldAndDrain");
    try (var driver = driver(life.cluster, 1, List.of(controller))) {
      driver.settle();
    }

    assertThat(life.workload().status().reason(WorkloadStatus.EVICTED))
        .isEqualTo("ClusterQueueStopped");
  }

  private static Cluster withoutLists(Cluster cluster) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isNotEqualTo("list");
              try {
                return method.invoke(cluster, arguments);
              } catch (InvocationTargetException refused) {
                throw refused.getCause();
              }
            });
  }

  @Test
  void aDrainedQueueGetsItsWorkloadBackWhenItRunsAgain() {
    life.byHand().status(Life::admitted);
    try (var driver = driver(life.cluster, 1, List.of(life.controller()))) {
      life.stop(CLUSTER_QUEUE, "HoldAndDrain");
      driver.settle();
      assertThat(life.workload().admission()).isEmpty();
      assertThat(life.workload().status().denies(WorkloadStatus.REQUEUED)).isTrue();

      life.stop(CLUSTER_QUEUE, "None");
      driver.settle();
      assertThat(life.workload().status().reason(WorkloadStatus.REQUEUED))
          .isEqualTo("ClusterQueueRestarted");
    }
  }

  @Test
  void timersRingByThemselves() {
    life.byHand().status(Life::admitted);
    try (var driver = driver(life.cluster, 1, List.of(life.controller()))) {
      pass(driver, life.cluster, Duration.ofMinutes(30));
      assertThat(life.workload().status().reason(WorkloadStatus.REQUEUED))
          .isEqualTo("PodsReadyTimeout");

      pass(driver, life.cluster, Duration.ofMinutes(2));
      assertThat(life.workload().status().reason(WorkloadStatus.REQUEUED))
          .isEqualTo("BackoffFinished");
    }
  }
}
