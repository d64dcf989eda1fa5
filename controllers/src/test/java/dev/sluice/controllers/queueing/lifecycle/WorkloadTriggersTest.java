package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.CLUSTER_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.LOCAL_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.WORKLOAD;
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

/** The workloads that a change concerns, found without listing all. */
class WorkloadTriggersTest {
  private static final ObjectKey OTHER_QUEUE = Kinds.LOCAL_QUEUE.key("default", "other");

  private final LifecycleWorld life = new LifecycleWorld();
  private final List<ObjectKey> enqueued = new ArrayList<>();

  @BeforeEach
  void anotherQueueHasAWorkloadToo() {
    life.cluster.create(
        Kinds.LOCAL_QUEUE,
        ApiObject.of(Kinds.LOCAL_QUEUE, "default", "other")
            .withSpec(Tree.of("clusterQueue", "elsewhere")));
    life.cluster.create(
        Kinds.WORKLOAD, Workload.of("default", "bystander", "other", List.of()).object());
  }

  /** Watches all kinds, and drops the initial events. */
  private void watchAll() {
    life.controller()
        .triggers()
        .forEach(trigger ->
            life.cluster.watch(
                trigger.kind(), event -> enqueued.addAll(trigger.keys().apply(event))));
    enqueued.clear();
  }

  @Test
  void stoppedClusterQueueConcernsItsPendingWorkloads() {
    watchAll();
    life.stop(CLUSTER_QUEUE, "Hold");

    assertThat(enqueued).containsExactly(WORKLOAD);
  }

  @Test
  void stoppedClusterQueueConcernsAdmittedWorkloadsWithoutALocalQueue() {
    life.status(LifecycleWorld::admitted).delete(LOCAL_QUEUE);
    watchAll();
    life.stop(CLUSTER_QUEUE, "HoldAndDrain");

    assertThat(enqueued).containsExactly(WORKLOAD);
  }

  @Test
  void clusterQueueThatBecomesActiveConcernsItsWorkloads() {
    watchAll();
    life.setActive(CLUSTER_QUEUE, true);

    assertThat(enqueued).containsExactly(WORKLOAD);
  }

  @Test
  void countsInTheStatusOfAQueueConcernNoWorkload() {
    life.setActive(CLUSTER_QUEUE, true).setActive(LOCAL_QUEUE, true);
    watchAll();
    for (ObjectKey queue : List.of(CLUSTER_QUEUE, LOCAL_QUEUE)) {
      ApiObject object = life.cluster.require(queue);
      life.cluster.patchStatus(queue.kind(), object, object.status().with("pendingWorkloads", 7));
    }

    assertThat(enqueued).isEmpty();
  }

  @Test
  void stoppedDeletedOrCreatedLocalQueueConcernsItsWorkloads() {
    watchAll();
    life.stop(LOCAL_QUEUE, "Hold");
    ApiObject queue = life.cluster.require(LOCAL_QUEUE);
    life.delete(LOCAL_QUEUE);
    life.cluster.create(Kinds.LOCAL_QUEUE, queue);

    assertThat(enqueued).containsExactly(WORKLOAD, WORKLOAD, WORKLOAD);
  }

  @Test
  void movedWorkloadIsFoundInItsNewQueueOnly() {
    life.spec(workload -> workload.withQueueName("other"));
    watchAll();
    life.stop(LOCAL_QUEUE, "Hold");
    assertThat(enqueued).isEmpty();

    life.stop(OTHER_QUEUE, "Hold");
    assertThat(enqueued).containsExactly(Kinds.WORKLOAD.key("default", "bystander"), WORKLOAD);
  }

  @Test
  void controllerNeverListsAllWorkloads() {
    Cluster watched = withoutLists(life.cluster);
    var controller = new WorkloadController(watched, Configuration.DEFAULT);
    life.status(LifecycleWorld::reserved).stop(CLUSTER_QUEUE, "HoldAndDrain");
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
  void drainedQueueGetsItsWorkloadBackWhenItIsActiveAgain() {
    life.byHand().status(LifecycleWorld::admitted);
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
  void timeoutNeedsNoEvent() {
    life.byHand().status(LifecycleWorld::admitted);
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
